-- What signing in leaves behind, and which page was opened how often: each for as long as somebody may still ask for it.
create or replace function identity.forget_old_sessions() returns void language sql security definer set search_path = '' begin atomic
  delete from identity.session where expires_at < now() - interval '30 days';
  delete from identity.one_time_code where expires_at < now();
  delete from identity.sign_in_challenge where expires_at < now();
  delete from identity.sign_in_try where since < now() - interval '1 day';
  delete from identity.known_browser where last_at < now() - interval '180 days';
  delete from identity.click_record where at < now() - interval '90 days'; end;
