"""The kinds, policies and formats that calls name."""

import enum


class EntryKind(enum.IntEnum):
    """The kinds of entries; the numbers are part of the format."""

    HEADER = 0
    MOVE = 1
    RETRACT = 2
    ROTATE_KEY = 3
    SEAL = 4
    REVEAL_SHARE = 5
    UNSEAL = 6
    OPEN_DISPUTE = 7
    RESOLVE_DISPUTE = 8
    REQUEST_TAKEBACK = 9
    GRANT_TAKEBACK = 10
    COMMIT_SHARE = 11
    CHOOSE = 12
    OPEN_CHOICE = 13
    REVEAL_CHOICES = 14
    ANSWER_FOR = 15
    CLOSE = 16


class PartKind(enum.IntEnum):
    """Who made a concealed part."""

    VIEW = 1
    """The service: what its audience sees of the entry."""
    CHOICE = 2
    """The actor: a sealed choice."""


class Chance(enum.Enum):
    """Who records chance, such as deals and draws."""

    UNRECORDED = "unrecorded"
    """Nobody: the record does not contain hands."""
    RECORDED = "recorded"
    """The app: it appends every deal and draw as a move of CHANCE."""
    SERVICE = "service"
    """The server: it shuffles, deals and draws, and shows each viewer only what they may see."""


class RetractPolicy(enum.Enum):
    """Who may take entries back."""

    ARBITER = "arbiter"
    NOBODY = "nobody"
    ANY_SEAT = "any-seat"


class DisputePolicy(enum.Enum):
    """What an open dispute does to the match."""

    GO_ON = "go-on"
    FREEZE = "freeze"


class ChoicePolicy(enum.Enum):
    """What happens when a seat does not make or open a sealed choice."""

    WAIT = "wait"
    """The match waits; the arbiter may retract or close it."""
    ARBITER = "arbiter"
    """The arbiter may answer for the seat, once all others have chosen and opened."""


class TakebackPolicy(enum.Enum):
    """How far a seat may take back; the arbiter may always take back further."""

    HIDDEN_ONLY = "hidden-only"
    """Never past a draw that showed something, nor past choices that were revealed."""
    PAST_REVEALED = "past-revealed"
    """Past draws and revealed choices too."""


class MatchState(enum.Enum):
    """Whether a match is in progress."""

    OPEN = "open"
    OVER = "over"


class RecordFormat(enum.Enum):
    """The file format of a record."""

    TRANSCRIPT = "transcript"
    """Readable text, without the moves that were taken back."""
    RECORD = "record"
    """Every stored byte, hashes included."""


class Verdict(enum.Enum):
    """The verdict of an audit."""

    VERIFIED = "verified"
    AS_SHOWN = "as-shown"
    """Verified as far as shown: parts are left out, so that not everything could be judged."""
    ILLEGAL = "illegal"
    DIVERGED = "diverged"
    CORRUPT = "corrupt"


class OutcomeKind(enum.Enum):
    """Whether a match has winners, and whether they beat each other or the game."""

    WON = "won"
    """One seat won, or several that share the win."""
    ALL_WON = "all-won"
    """All seats won together, against the game."""
    NOBODY_WON = "nobody-won"
    """No seat won: the game defeated all of them."""
