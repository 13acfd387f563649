# SPDX-License-Identifier: Apache-2.0
"""Part of the stand-in hou.py: kinds of parameters, and how they look."""
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple


class Error(Exception):
    """An error as Houdini would raise it."""


class OperationFailed(Error):
    """Something could not be done."""


class exprLanguage:
    """Languages of expressions."""
    Hscript = "Hscript"


class scriptLanguage:
    """Languages of callbacks."""
    Python = "Python"


class folderType:
    """Looks of folders."""
    Tabs = "Tabs"


class parmLook:
    """Looks of parameters."""
    Regular = "Regular"
    Vector = "Vector"
    ColorSquare = "ColorSquare"


class parmNamingScheme:
    """Naming of the channels of a parameter."""
    Base1 = "Base1"
    XYZW = "XYZW"
    RGBA = "RGBA"


class parmCondType:
    """Kinds of conditions."""
    DisableWhen = "DisableWhen"
    HideWhen = "HideWhen"


class ParmTemplate:
    """A parameter of an asset."""

    def __init__(self, name: str, label: str, **values: Any) -> None:
        self.standin_name, self.standin_label = name, label
        self.standin_values = values
        self.standin_help = ""
        self.standin_conditions: Dict[str, str] = {}

    def setHelp(self, help: str) -> None:
        """Sets its help."""
        self.standin_help = help

    def setConditional(self, cond_type: str, conditional: str) -> None:
        """Sets the condition under which it is disabled or hidden."""
        self.standin_conditions[cond_type] = conditional


class FloatParmTemplate(ParmTemplate):
    """Numbers."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[float] = (), min: float = 0.0, max: float = 10.0,
                 min_is_strict: bool = False, max_is_strict: bool = False,
                 look: str = parmLook.Regular,
                 naming_scheme: str = parmNamingScheme.Base1) -> None:
        super().__init__(name, label, size=num_components, default=list(default_value),
                         range=(min, min_is_strict, max, max_is_strict), look=look,
                         naming=naming_scheme)


class IntParmTemplate(ParmTemplate):
    """Integers."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[int] = (), min: int = 0, max: int = 10,
                 min_is_strict: bool = False, max_is_strict: bool = False) -> None:
        super().__init__(name, label, size=num_components, default=list(default_value),
                         range=(min, min_is_strict, max, max_is_strict))


class ToggleParmTemplate(ParmTemplate):
    """Switches."""

    def __init__(self, name: str, label: str, default_value: bool = False) -> None:
        super().__init__(name, label, default=[int(default_value)])


class StringParmTemplate(ParmTemplate):
    """Texts and menus."""

    def __init__(self, name: str, label: str, num_components: int,
                 default_value: Sequence[str] = (), menu_items: Sequence[str] = (),
                 menu_labels: Sequence[str] = ()) -> None:
        if len(menu_items) != len(menu_labels):
            raise Error(f"{name}: as many labels as items")
        super().__init__(name, label, size=num_components, default=list(default_value),
                         menu=list(zip(menu_items, menu_labels)))


class ButtonParmTemplate(ParmTemplate):
    """Buttons."""

    def __init__(self, name: str, label: str, script_callback: Optional[str] = None,
                 script_callback_language: str = scriptLanguage.Python) -> None:
        super().__init__(name, label, callback=script_callback or "")


class FolderParmTemplate(ParmTemplate):
    """Parameters behind a tab."""

    def __init__(self, name: str, label: str, parm_templates: Sequence[ParmTemplate] = (),
                 folder_type: str = folderType.Tabs) -> None:
        super().__init__(name, label)
        self.standin_inside = list(parm_templates)


class ParmTemplateGroup:
    """All parameters of an asset."""

    def __init__(self) -> None:
        self.standin_templates: List[ParmTemplate] = []

    def append(self, parm_template: ParmTemplate) -> None:
        """Adds one more."""
        self.standin_templates.append(parm_template)

    def standin_all(self) -> Iterator[Tuple[str, ParmTemplate]]:
        """All entries, each with its folder."""
        for template in self.standin_templates:
            if isinstance(template, FolderParmTemplate):
                for inside in template.standin_inside:
                    yield template.standin_label, inside
            else:
                yield "", template
