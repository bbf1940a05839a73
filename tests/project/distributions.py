"""Distributions with games, as an installer would leave them in a folder."""

from pathlib import Path


def install(folder: Path, name: str, games: dict[str, str], **modules: str) -> None:
    """A distribution that registers games, each as KEY: MODULE:NAME, and has these modules."""
    about = folder / f"{name}-0.1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    points = [f"{key} = {place}" for key, place in games.items()]
    (about / "entry_points.txt").write_text("\n".join(["[shiji.games]", *points, ""]))
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)
