-- Whether any enterprise has a park in a region: who edits regions sees only the parks of their own.
create function parking.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from parking.park where region_code = of_code and not deleted); end;
grant execute on function parking.region_is_used to kerbline_app;
