-- A driver who has no account appeals at the page behind a printed code, and follows the appeal by its number alone: it is not to be guessed.
alter table arrears.appeal add column appeal_no text not null default 'SS' || upper(replace(gen_random_uuid()::text, '-', ''));
create unique index appeal_number on arrears.appeal (enterprise_id, appeal_no);
-- Nobody who is signed in took it down: then whoever decides is another person by nature.
alter table arrears.appeal alter column applicant_id drop not null, drop constraint maker_is_not_checker,
  add constraint maker_is_not_checker check (applicant_id is null or applicant_id is distinct from approver_id);
