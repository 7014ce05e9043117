-- What is not lost when somebody deletes it by mistake.
select platform.binned('identity.person', title => 'name', parts => '{identity.person_role,person_id}');
select platform.binned('identity.role', title => 'name', parts => '{identity.role_resource,role_id,identity.role_button,role_id}');
select platform.binned('identity.department', title => 'name');
select platform.binned('system.dictionary_row', title => 'cval');
select platform.binned('system.region', title => 'name', key => 'code');
