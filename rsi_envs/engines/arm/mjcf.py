"""The MuJoCo model of a bench: table, two arms, head and wrist cameras, and things.

Settings of contacts and actuators are those with which grasps hold (no slip in hundreds of
picks, creep below 2 mm in 10 s); solref must stay at least twice the timestep.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

from rsi_envs.engines.arm import chain
from rsi_envs.engines.arm.chain import ARMS, BASES, HAND, JOINTS, OFFSETS, OPEN, TCP
from rsi_envs.engines.arm.shapes import Look, Shape, Thing

SHELL, DARK, PAD = (228.0, 228.0, 222.0), (66.0, 68.0, 74.0), (40.0, 40.0, 44.0)
FLOOR = (122.0, 128.0, 134.0)
TABLE = (0.62, 0.95, 0.03)  # half sizes, metres; its top is z = 0
# Where the head camera is, and its vertical field of view: it looks straight down, x upwards.
HEAD, FOVY = (0.45, 0.0, 1.05), 53.2
WRIST_FOVY = 70.0
# Of each link: capsules from one point to another in its frame, and their radius.
LINKS: tuple[tuple[tuple[float, ...], ...], ...] = (
    ((0, 0, -0.19, 0, 0, -0.05, 0.055),),
    ((0, -0.02, 0, 0, -0.22, 0, 0.055),),
    ((0, 0, -0.09, 0, 0, -0.02, 0.05), (0.02, 0, 0, 0.08, 0, 0, 0.05)),
    ((-0.02, 0.02, 0, -0.08, 0.10, 0, 0.05), (-0.0825, 0.10, 0, -0.0825, 0.26, 0, 0.045)),
    ((0, 0, -0.12, 0, 0, -0.01, 0.05), (0, 0.06, -0.13, 0, 0.08, -0.03, 0.03)),
    ((0, 0, 0, 0.07, 0, 0, 0.045),),
    ((0, 0, 0, 0, 0, 0.07, 0.042),),
)
LINK_MASSES = (3.0, 3.0, 3.0, 3.0, 2.5, 1.5, 1.0)  # kg
ROUND = ("sphere", "capsule", "ellipsoid")  # these get friction against rolling as well
_CONTACT = 'condim="4" solref="0.005 1" solimp="0.95 0.99 0.001"'
_LIMIT = 'solreflimit="0.005 1" solimplimit="0.95 0.99 0.001"'  # else closed pads overlap by 6 mm
# Bits of contact: things and table 1, left arm 2, right arm 4. An arm meets everything but itself.
_MEETS = {"left": 'contype="2" conaffinity="5"', "right": 'contype="4" conaffinity="3"'}


def numbers(values: Iterable[float]) -> str:
    """Return numbers as MJCF writes them, without loss."""
    return " ".join(repr(float(v)) for v in values)


def _rgba(colour: Iterable[float]) -> str:
    return f'rgba="{numbers([*(c / 255 for c in colour), 1])}"'


def _link(arm: str, joint: int, inner: str) -> str:
    """Return the body of a link with what hangs on it."""
    pos, quat = OFFSETS[joint, :3], OFFSETS[joint, 3:]
    mass = LINK_MASSES[joint] / len(LINKS[joint])
    geoms = "".join(
        f'<geom type="capsule" fromto="{numbers(ends[:6])}" size="{ends[6]}" mass="{mass}" '
        f"{_MEETS[arm]} {_rgba(SHELL if k == 0 else DARK)}/>"
        for k, ends in enumerate(LINKS[joint])
    )
    return (
        f'<body name="{arm}/link{joint + 1}" pos="{numbers(pos)}" quat="{numbers(quat)}" '
        f'gravcomp="1"><joint name="{arm}/joint{joint + 1}" range="{numbers(chain.RANGES[joint])}" '
        f'armature="0.1" damping="1"/>{geoms}{inner}</body>'
    )


def _finger(arm: str, side: int) -> str:
    """Return a finger; side 1 opens along +y, -1 along -y. The pads meet at y = 0."""
    name = f"{arm}/finger{1 if side > 0 else 2}"
    return (
        f'<body name="{name}" gravcomp="1"><joint name="{name}" type="slide" axis="0 {side} 0" '
        f'range="0 {OPEN}" armature="0.02" damping="20" {_LIMIT}/>'
        f'<geom type="box" size="0.010 0.004 0.009" pos="0 {0.004 * side} {TCP}" mass="0.01" '
        f'friction="1.5 0.05 0.001" {_MEETS[arm]} {_rgba(PAD)}/>'
        f'<geom type="box" size="0.009 0.006 0.017" pos="0 {0.008 * side} 0.0774" mass="0.02" '
        f"{_MEETS[arm]} {_rgba(DARK)}/></body>"
    )


def _hand(arm: str) -> str:
    """Return the hand with its fingers, the wrist camera and the tool centre point."""
    return (
        f'<body name="{arm}/hand" pos="{numbers(HAND[:3])}" quat="{numbers(HAND[3:])}" '
        f'gravcomp="1"><geom type="box" size="0.026 0.064 0.03" pos="0 0 0.03" mass="0.5" '
        f"{_MEETS[arm]} {_rgba(SHELL)}/>"
        f'<camera name="{arm}" pos="0.07 0 0.045" xyaxes="0 1 0 0.894427191 0 0.447213595" '
        f'fovy="{WRIST_FOVY}"/><site name="{arm}/tcp" pos="0 0 {TCP}" size="0.002"/>'
        f"{_finger(arm, 1)}{_finger(arm, -1)}</body>"
    )


def _arm(arm: str, base: Sequence[float]) -> str:
    inner = _hand(arm)
    for joint in reversed(range(JOINTS)):
        inner = _link(arm, joint, inner)
    return (
        f'<body name="{arm}/base" pos="{numbers(base)}"><geom type="cylinder" size="0.07 0.07" '
        f'pos="0 0 0.07" {_MEETS[arm]} {_rgba(SHELL)}/>{inner}</body>'
    )


def _actuators(arm: str) -> str:
    joints = "".join(
        f'<position joint="{arm}/joint{j + 1}" kp="{kp}" kv="{0.04 * kp}" '
        f'forcerange="{-force} {force}"/>'
        for j, (kp, force) in enumerate(zip(chain.STIFFNESS, chain.FORCES))
    )
    return (
        f'{joints}<position tendon="{arm}/fingers" kp="2000" forcerange="-120 120" '
        f'ctrlrange="{chain.SQUEEZE} {OPEN}"/>'
    )


def _shape(name: str, shape: Shape, mass: float | None) -> str:
    weight = "" if mass is None else f'mass="{mass!r}"'
    rolling = ' condim="6"' if shape.kind in ROUND else ""
    return (
        f'<geom name={quoteattr(name)} type="{shape.kind}" size="{numbers(shape.size)}" '
        f'pos="{numbers(shape.position)}" quat="{numbers(shape.quaternion)}" {weight} '
        f'friction="{shape.friction!r} 0.01 0.001" {_rgba(shape.colour)}{rolling}/>'
    )


def _thing(thing: Thing) -> str:
    each = None if thing.mass is None else thing.mass / len(thing.shapes)
    shapes = "".join(_shape(f"{thing.name}/{i}", s, each) for i, s in enumerate(thing.shapes))
    joint = "" if thing.mass is None else "<freejoint/>"
    return (
        f'<body name={quoteattr(thing.name)} pos="{numbers(thing.position)}" '
        f'quat="{numbers(thing.quaternion)}">{joint}{shapes}</body>'
    )


def _head(look: Look) -> str:
    at = [a + b for a, b in zip(HEAD, look.camera[:3])]
    # Straight down with +x upwards in the picture, then off by roll, pitch and yaw.
    turn = [math.radians(degrees) for degrees in look.camera[3:]]
    return (
        f'<body pos="{numbers(at)}" euler="{numbers(turn)}">'
        f'<camera name="head" xyaxes="0 -1 0 1 0 0" fovy="{FOVY}"/></body>'
    )


def bench_xml(things: Sequence[Thing], look: Look) -> str:
    """Return the MJCF of a bench with things on it; see `Bench` for the names in it."""
    arms = "".join(_arm(arm, base) for arm, base in zip(ARMS, BASES))
    coupled = "".join(f'<joint joint1="{a}/finger1" joint2="{a}/finger2"/>' for a in ARMS)
    # The actuator pulls at both fingers alike: at one only, it would push aside what is held.
    tendons = "".join(
        f'<fixed name="{a}/fingers"><joint joint="{a}/finger1" coef="0.5"/>'
        f'<joint joint="{a}/finger2" coef="0.5"/></fixed>'
        for a in ARMS
    )
    return f"""<mujoco model="bench">
<compiler angle="radian" autolimits="true" eulerseq="XYZ"/>
<option timestep="{chain.TIMESTEP}" integrator="implicitfast" cone="elliptic" impratio="10"/>
<default><geom {_CONTACT} friction="1 0.01 0.001" conaffinity="7"/></default>
<worldbody>
<light pos="0 0 2" dir="{numbers(-v for v in look.light)}" castshadow="false"/>
<geom name="floor" type="plane" size="0 0 1" pos="0 0 -0.75" {_rgba(FLOOR)}/>
<geom name="table" type="box" size="{numbers(TABLE)}" pos="0.42 0 {-TABLE[2]}" {_rgba(look.table)}/>
<camera name="side" pos="1.25 -0.75 0.8" xyaxes="0.6289 0.7774 0 -0.3883 0.3141 0.8663" \
fovy="44"/>
{_head(look)}{arms}{"".join(_thing(thing) for thing in things)}
</worldbody>
<tendon>{tendons}</tendon>
<equality>{coupled}</equality>
<actuator>{"".join(_actuators(arm) for arm in ARMS)}</actuator>
</mujoco>"""
