"""The arguments of each tool as types, for hooks and tests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class ListBicyclesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: list[Literal["waiting", "in_repair", "ready"]] | None = None
    tag: Annotated[list[str] | None, Field(max_length=5)] = None
    years: Annotated[list[int] | None, Field(max_length=2, min_length=2)] = None
    filter_brand: str | None = None
    filter_wheel_size: float | None = None
    near: str | None = None
    limit: Annotated[int | None, Field(ge=1, le=100)] = None
    cursor: str | None = None
    x_request_id: Annotated[str | None, Field(max_length=64)] = None
    locale: str | None = None


class RegisterBicycleArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    frame_number: str
    brand: str | None = None
    year: Annotated[int | None, Field(ge=1900, le=2100)] = None
    tags: list[str] | None = None
    lock_code: str | None = None
    owner_name: str
    owner_phone: str | None = None
    owner_address_street: str | None = None
    owner_address_city: str | None = None


class GetBicycleArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[int, Field(ge=1)]


class ChangeBicycleArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[int, Field(ge=1)]
    body_id: Annotated[int | None, Field(ge=1)] = None
    brand: str | None = None
    year: Annotated[int | None, Field(ge=1900)] = None
    note: Annotated[str | None, Field(max_length=500)] = None
    null_fields: list[Literal["brand", "year", "note"]] | None = None


class DeleteBicycleArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[int, Field(ge=1)]


class NameBicycleArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: Annotated[int, Field(ge=1)]
    body: Annotated[str, Field(max_length=40, min_length=1)]


class OrderRepairArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    bicycle_id: Annotated[int, Field(ge=1)]
    ready_by: str | None = None
    job_kind: Literal["wheel", "paint"]
    job_position: Literal["front", "rear"] | None = None
    job_spokes: Annotated[int | None, Field(ge=0, le=48)] = None
    job_colour: str | None = None
    job_gloss: bool | None = None
    lines: str | None = None
    labels: str | None = None


class GetRepairArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    repair_id: str
    if_none_match: str | None = None


class AddPhotoArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    repair_id: str
    photo: str
    photo_filename: Annotated[str | None, Field(max_length=255, min_length=1)] = None
    photo_content_type: Literal["image/jpeg", "image/png"] | None = None
    caption: Annotated[str | None, Field(max_length=200)] = None
    place_bay: Annotated[int | None, Field(ge=1)] = None
    place_lamp: bool | None = None


class WriteDiaryArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    repair_id: str
    body: str


class GetPartArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str


class StorePartArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str
    name: str
    made_of: str | None = None


class SetPricesArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str
    body: str


class ImportPartsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    body: str


class OrderPartsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    number: str
    deliver_to_street: str
    deliver_to_town: str | None = None
    lines: str | None = None
    urgent: bool | None = None


class CountPartsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    body: str


class LookIntoBinsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    shelf: str
    bins: Annotated[list[int], Field(min_length=1)]


class ReadManualArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str


class StoreManualArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str
    body: str


class TakePaymentArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    repair: Annotated[int, Field(ge=1)]
    amount: Annotated[float, Field(gt=0.0)]
    method: Literal["cash", "card", "voucher"]
    receipt: bool | None = None
    vouchers: list[str] | None = None


class SearchReportsArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    first_day: str
    to: str | None = None
    match: Any | None = None


class GetOpeningHoursArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")
