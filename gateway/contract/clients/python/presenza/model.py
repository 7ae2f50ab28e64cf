"""The base classes of the types in `models.py`, which is generated from the contract."""

import json
from enum import Enum
from typing import Any, Dict, Mapping, Type, TypeVar

from pydantic import BaseModel, ConfigDict

Self = TypeVar("Self", bound="Model")


class Model(BaseModel):
    """An object of the API. Its fields have names as in Python, and the JSON has those of the API."""

    model_config = ConfigDict(populate_by_name=True, validate_assignment=True, protected_namespaces=())

    @classmethod
    def from_dict(cls: Type[Self], fields: Mapping[str, Any]) -> Self:
        return cls.model_validate(fields)

    @classmethod
    def from_json(cls: Type[Self], text: str) -> Self:
        return cls.model_validate(json.loads(text))

    def to_dict(self) -> Dict[str, Any]:
        """Return the fields by the names of the API, without those that are None."""
        return self.model_dump(by_alias=True, exclude_none=True)

    def to_json(self) -> str:
        return self.model_dump_json(by_alias=True, exclude_none=True)


class Enumeration(str, Enum):
    """A name of the API. A response may have a newer value."""

    __str__ = str.__str__

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member
