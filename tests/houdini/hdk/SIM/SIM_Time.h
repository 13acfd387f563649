// Stand-in for tests: seconds of simulated time.
#pragma once

class SIM_Time {
public:
    SIM_Time(double seconds = 0) : m_seconds(seconds) {}
    operator double() const { return m_seconds; }

private:
    double m_seconds;
};
