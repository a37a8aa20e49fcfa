"""Questions before the result."""

from tests.scenario_engine.marks import pending, scenario
from tests.scenario_engine.scene import Scene

REQUIREMENT = "Questions before the result"


@pending
@scenario(requirement=REQUIREMENT, name="User fills in a form", steps=2, at="spec.md:57")
async def test_user_fills_in_a_form(scene: Scene) -> None:
    """User fills in a form.

    - **WHEN** the user answers the form of `test_elicitation`
    - **THEN** the result repeats the answer
    """
    with scene.step(1, "WHEN the user answers the form of `test_elicitation`"):
        scene.pending()
    with scene.step(2, "THEN the result repeats the answer"):
        scene.pending()


@pending
@scenario(requirement=REQUIREMENT, name="Form has defaults", steps=2, at="spec.md:61")
async def test_form_has_defaults(scene: Scene) -> None:
    """Form has defaults.

    - **WHEN** a client calls `test_elicitation_sep1034_defaults`
    - **THEN** each field of the form has a default
    """
    with scene.step(1, "WHEN a client calls `test_elicitation_sep1034_defaults`"):
        # Read from the phrase calls-bare.
        await scene.call("test_elicitation_sep1034_defaults")
    with scene.step(2, "THEN each field of the form has a default"):
        scene.pending()


@pending
@scenario(requirement=REQUIREMENT, name="Form has choices", steps=2, at="spec.md:65")
async def test_form_has_choices(scene: Scene) -> None:
    """Form has choices.

    - **WHEN** a client calls `test_elicitation_sep1330_enums`
    - **THEN** the form has choices with titles and without, of one and of several
    """
    with scene.step(1, "WHEN a client calls `test_elicitation_sep1330_enums`"):
        # Read from the phrase calls-bare.
        await scene.call("test_elicitation_sep1330_enums")
    with scene.step(2, "THEN the form has choices with titles and without, of one and of…"):
        scene.pending()


@pending
@scenario(requirement=REQUIREMENT, name="Model writes", steps=2, at="spec.md:69")
async def test_model_writes(scene: Scene) -> None:
    """Model writes.

    - **WHEN** the client's model answers the prompt of `test_sampling`
    - **THEN** the result repeats what it wrote
    """
    with scene.step(1, "WHEN the client's model answers the prompt of `test_sampling`"):
        scene.pending()
    with scene.step(2, "THEN the result repeats what it wrote"):
        scene.pending()
