"""What can be wrong with a dataset. Every message says what to do."""


class DatasetError(Exception):
    """A dataset that cannot be used as asked."""


class NotADatasetError(DatasetError):
    """The folder was not written by `toads export`."""


class FormatError(DatasetError):
    """A dataset of another format or of a newer layout."""


class MissingDataError(DatasetError):
    """What was asked for was not exported."""


class DamagedError(DatasetError):
    """Files that are missing, cannot be read, or whose checksum does not fit."""

    def __init__(self, damages: list[str]) -> None:
        """Tell every file that is damaged."""
        self.damages = damages
        super().__init__(f"{'; '.join(damages)}; copy the dataset again, or export it again")


class IncompleteWarning(UserWarning):
    """The dataset was exported with `--partial`: classes are missing, and counts are over what there is."""
