-- Sign-ins under a name that nobody has stand in no company's log and in no chain: whoever guesses names does not fill the disk for ever.
create function system.forget_strangers(older interval) returns void language sql security definer set search_path = ''
  begin atomic delete from system.login_log where enterprise_id = 0 and at < now() - older; end;
