-- A sheet that is written later hides what was hidden from whoever asked for it, kind by kind.
alter table platform.export_file add hidden text[] not null default '{}';
update platform.export_file set hidden = '{phone,email,document}' where not whole;
alter table platform.export_file drop whole;

-- Seeing plates whole is a right of its own from here on. Roles that are there keep what they saw; where it is not wanted it is taken away.
insert into identity.button (resource_id, code, name, name_en, capability, shipped)
  select id, 'plate', '查看完整车牌与车辆图片', 'See plates whole, and pictures of cars', 'parking:plate:view',
    '{"name": "查看完整车牌与车辆图片", "name_en": "See plates whole, and pictures of cars"}'
  from identity.resource where url = '/operation/record/parking/parkingRecord' on conflict do nothing;
insert into identity.role_button (enterprise_id, role_id, button_id)
  select distinct x.enterprise_id, x.role_id, b.id from identity.role_resource x cross join identity.button b where b.capability = 'parking:plate:view' on conflict do nothing;
