"""The breaker: open after three failures in a row, closed by one good probe, longer with each bad one."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.providers.breaker import Breaker


class BreakerMachine(RuleBasedStateMachine):
    """Against the plainest model of the promise: failures in a row, a pause that doubles, one probe at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.breaker = Breaker(clock=lambda: self.now)
        self.row = 0
        self.pause = 60.0
        self.open_until: float | None = None
        self.probe = False

    @rule(seconds=st.sampled_from([1, 59, 60, 61, 1000, 2000]))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds

    def _may_go(self) -> bool:
        if self.open_until is None:
            return True
        return self.now >= self.open_until and not self.probe

    @rule(outcome=st.sampled_from(["success", "failure", "undecided"]))
    def a_request(self, outcome: str) -> None:
        allowed = self._may_go()
        assert (self.breaker.wait() == 0) == allowed
        if not allowed:
            return
        probing = self.open_until is not None
        getattr(self.breaker, outcome)()
        if outcome == "success":
            self.row, self.pause, self.open_until = 0, 60.0, None
        elif outcome == "failure":
            self.row += 1
            if probing:
                self.pause = min(self.pause * 2, 1800)
            if self.row >= 3:
                self.open_until = self.now + self.pause

    @rule()
    def a_person_retries(self) -> None:
        self.breaker.reset()
        self.row, self.pause, self.open_until = 0, 60.0, None
        assert self.breaker.wait() == 0

    @invariant()
    def never_longer_than_half_an_hour(self) -> None:
        assert self.pause <= 1800


TestBreaker = BreakerMachine.TestCase
TestBreaker.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_only_one_probe_goes_out_at_a_time() -> None:
    now = 0.0
    breaker = Breaker(clock=lambda: now)
    for _ in range(3):
        assert breaker.wait() == 0
        breaker.failure()
    assert 0 < breaker.wait() <= 60
    now = 61.0
    assert breaker.wait() == 0
    assert breaker.wait() > 0
