-- A dictionary is a type with its entries. The code's own closed lists stand here too, fixed: the server writes them at its start, nobody edits them.
create table system.dictionary_type (
  id uuid primary key default uuidv7(), category_en text not null unique check (category_en ~ '^[A-Za-z][A-Za-z0-9_]*$'), item text not null, item_en text not null,
  fixed boolean not null default false, remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.shared('system.dictionary_type');
insert into system.dictionary_type (category_en, item, item_en)
  select category_en, min(item), min(category_name_en) from system.dictionary_row group by category_en;

alter table system.dictionary_row
  drop column item, drop column category_name_en,
  add foreign key (category_en) references system.dictionary_type (category_en),
  add column fixed boolean not null default false,
  add column status smallint not null default 1 check (status in (1, 2)),
  add column remark text,
  add check (tone in ('success', 'warning', 'error', 'default'));
create index dictionary_row_order on system.dictionary_row (sort, id);
create view system.dictionary_entry with (security_invoker = true) as
  select r.id, r.category_en, t.item, t.item_en as category_name_en, r.ival, r.cval, r.item_en, r.tone, r.sort, r.fixed, r.status, r.remark, r.version, r.updated_at
  from system.dictionary_row r join system.dictionary_type t using (category_en);
grant select on system.dictionary_entry to kerbline_app;

-- The city's district lies in Hubei: all its cities and counties by GB/T 2260.
create index region_name on system.region using gin (name gin_trgm_ops);
insert into system.region (code, parent_code, name, name_en, rank)
select code, parent, name, name_en, rank from (values
  ('420100', '420000', '武汉市', 'Wuhan', 2), ('420200', '420000', '黄石市', 'Huangshi', 2), ('420300', '420000', '十堰市', 'Shiyan', 2),
  ('420500', '420000', '宜昌市', 'Yichang', 2), ('420700', '420000', '鄂州市', 'Ezhou', 2), ('420800', '420000', '荆门市', 'Jingmen', 2),
  ('420900', '420000', '孝感市', 'Xiaogan', 2), ('421000', '420000', '荆州市', 'Jingzhou', 2), ('421100', '420000', '黄冈市', 'Huanggang', 2),
  ('421200', '420000', '咸宁市', 'Xianning', 2), ('421300', '420000', '随州市', 'Suizhou', 2), ('422800', '420000', '恩施土家族苗族自治州', 'Enshi', 2),
  ('429000', '420000', '省直辖县级行政区划', 'Directly under the province', 2)) as city (code, parent, name, name_en, rank) on conflict do nothing;
insert into system.region (code, parent_code, name, name_en, rank)
select code, substr(code, 1, 4) || '00', name, name_en, 3 from (values
  ('420102', '江岸区', 'Jiang''an'), ('420103', '江汉区', 'Jianghan'), ('420104', '硚口区', 'Qiaokou'), ('420105', '汉阳区', 'Hanyang'), ('420106', '武昌区', 'Wuchang'),
  ('420107', '青山区', 'Qingshan'), ('420111', '洪山区', 'Hongshan'), ('420112', '东西湖区', 'Dongxihu'), ('420113', '汉南区', 'Hannan'), ('420114', '蔡甸区', 'Caidian'),
  ('420115', '江夏区', 'Jiangxia'), ('420116', '黄陂区', 'Huangpi'), ('420117', '新洲区', 'Xinzhou'),
  ('420202', '黄石港区', 'Huangshigang'), ('420203', '西塞山区', 'Xisaishan'), ('420204', '下陆区', 'Xialu'), ('420205', '铁山区', 'Tieshan'), ('420222', '阳新县', 'Yangxin'),
  ('420281', '大冶市', 'Daye'),
  ('420302', '茅箭区', 'Maojian'), ('420303', '张湾区', 'Zhangwan'), ('420304', '郧阳区', 'Yunyang'), ('420322', '郧西县', 'Yunxi'), ('420323', '竹山县', 'Zhushan'),
  ('420324', '竹溪县', 'Zhuxi'), ('420325', '房县', 'Fangxian'), ('420381', '丹江口市', 'Danjiangkou'),
  ('420502', '西陵区', 'Xiling'), ('420503', '伍家岗区', 'Wujiagang'), ('420504', '点军区', 'Dianjun'), ('420505', '猇亭区', 'Xiaoting'), ('420506', '夷陵区', 'Yiling'),
  ('420525', '远安县', 'Yuan''an'), ('420526', '兴山县', 'Xingshan'), ('420527', '秭归县', 'Zigui'), ('420528', '长阳土家族自治县', 'Changyang'),
  ('420529', '五峰土家族自治县', 'Wufeng'), ('420581', '宜都市', 'Yidu'), ('420582', '当阳市', 'Dangyang'), ('420583', '枝江市', 'Zhijiang'),
  ('420702', '梁子湖区', 'Liangzihu'), ('420703', '华容区', 'Huarong'), ('420704', '鄂城区', 'Echeng'),
  ('420802', '东宝区', 'Dongbao'), ('420804', '掇刀区', 'Duodao'), ('420822', '沙洋县', 'Shayang'), ('420881', '钟祥市', 'Zhongxiang'), ('420882', '京山市', 'Jingshan'),
  ('420902', '孝南区', 'Xiaonan'), ('420921', '孝昌县', 'Xiaochang'), ('420922', '大悟县', 'Dawu'), ('420923', '云梦县', 'Yunmeng'), ('420981', '应城市', 'Yingcheng'),
  ('420982', '安陆市', 'Anlu'), ('420984', '汉川市', 'Hanchuan'),
  ('421002', '沙市区', 'Shashi'), ('421003', '荆州区', 'Jingzhou District'), ('421022', '公安县', 'Gong''an'), ('421024', '江陵县', 'Jiangling'), ('421081', '石首市', 'Shishou'),
  ('421083', '洪湖市', 'Honghu'), ('421087', '松滋市', 'Songzi'), ('421088', '监利市', 'Jianli'),
  ('421102', '黄州区', 'Huangzhou'), ('421121', '团风县', 'Tuanfeng'), ('421122', '红安县', 'Hong''an'), ('421123', '罗田县', 'Luotian'), ('421124', '英山县', 'Yingshan'),
  ('421125', '浠水县', 'Xishui'), ('421126', '蕲春县', 'Qichun'), ('421127', '黄梅县', 'Huangmei'), ('421181', '麻城市', 'Macheng'), ('421182', '武穴市', 'Wuxue'),
  ('421202', '咸安区', 'Xian''an'), ('421221', '嘉鱼县', 'Jiayu'), ('421222', '通城县', 'Tongcheng'), ('421223', '崇阳县', 'Chongyang'), ('421224', '通山县', 'Tongshan'),
  ('421281', '赤壁市', 'Chibi'),
  ('421303', '曾都区', 'Zengdu'), ('421321', '随县', 'Suixian'), ('421381', '广水市', 'Guangshui'),
  ('422801', '恩施市', 'Enshi City'), ('422802', '利川市', 'Lichuan'), ('422822', '建始县', 'Jianshi'), ('422823', '巴东县', 'Badong'), ('422825', '宣恩县', 'Xuan''en'),
  ('422826', '咸丰县', 'Xianfeng'), ('422827', '来凤县', 'Laifeng'), ('422828', '鹤峰县', 'Hefeng'),
  ('429004', '仙桃市', 'Xiantao'), ('429005', '潜江市', 'Qianjiang'), ('429006', '天门市', 'Tianmen'), ('429021', '神农架林区', 'Shennongjia')) as county (code, name, name_en)
on conflict do nothing;
