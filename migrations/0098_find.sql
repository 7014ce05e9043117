-- A person is found by the beginning of what is known of them; each way by an index of its own, within the enterprise.
create index person_staff_no on identity.person (enterprise_id, staff_no);
create index person_phone on identity.person (enterprise_id, phone);
create index person_name on identity.person (enterprise_id, name);
create index person_login on identity.person (enterprise_id, username);
create index gate_code on parking.gate (enterprise_id, gate_code);
create index park_begins on parking.park (enterprise_id, name);
