-- Signing in through a company's own identity provider (OpenID Connect), where one is configured.
-- One attempt: between sending a browser there and its coming back. Good once, in that browser, for ten minutes.
create table identity.oidc_flow (
  state_hash bytea primary key, browser_hash bytea not null, verifier text not null, nonce text not null, expires_at timestamptz not null);
create function identity.begin_oidc(state bytea, browser bytea, with_verifier text, with_nonce text) returns void language sql security definer set search_path = '' begin atomic
  delete from identity.oidc_flow where expires_at < now();
  insert into identity.oidc_flow values (state, browser, with_verifier, with_nonce, now() + interval '10 min'); end;
create function identity.take_oidc(state bytea, browser bytea, out verifier text, out nonce text) language sql security definer set search_path = '' begin atomic
  delete from identity.oidc_flow where state_hash = state and browser_hash = browser and expires_at > now() returning verifier, nonce; end;

-- Who somebody is over there, once they have come: a changed name here or there changes nothing.
create table identity.oidc_subject (
  enterprise_id integer not null, issuer text not null, subject text not null, person_id uuid not null, created_at timestamptz not null default now(),
  primary key (enterprise_id, issuer, subject), foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.oidc_subject', key => 'person_id');
-- The person of this enterprise whom the provider means: known by subject, or for the first time by the name that its claim says. Never somebody new.
create function identity.person_of_subject(of_enterprise integer, by_issuer text, of_subject text, by_name text, out person_id uuid, out username text)
language plpgsql security definer set search_path = '' as $$
begin
  select p.id, p.username into person_id, username from identity.oidc_subject s join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id
    join identity.enterprise e on e.id = p.enterprise_id
    where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.subject = of_subject and p.lock_state = 1 and e.status = 1;
  if person_id is not null or by_name is null
    or exists (select from identity.oidc_subject s where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.subject = of_subject) then return; end if;
  select p.id, p.username into person_id, username from identity.person p join identity.enterprise e on e.id = p.enterprise_id
    where p.enterprise_id = of_enterprise and lower(p.username) = lower(by_name) and p.lock_state = 1 and e.status = 1
      and not exists (select from identity.oidc_subject s where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.person_id = p.id);
  if person_id is not null then
    insert into identity.oidc_subject (enterprise_id, issuer, subject, person_id) values (of_enterprise, by_issuer, of_subject, person_id);
  end if;
end $$;
