"""Names of the schema `charging` that go to `pile` or `roaming`: finds them, counts them, and with --json writes ../renames.json, every occurrence with its place."""
import re,os,sys
from collections import Counter,defaultdict
ROOT='.'
PILE=['operator','station','equipment','pile_state','connector','connector_state','status_change','operate_log','pile','link','pile_link','pile_command','frame','pile_setting','transaction_event','reservation','request_no','credential','commands_due','region_is_used']
ROAM=['platform','partner_token','partner_message','platform_shown','platform_reduce','platform_reduce_shown','waiver','partner_bill','partner_check','statement','partner_page','partner_difference','statement_shown','partner_station','partner_connector','partner_asked','partner_gun','roaming','roaming_shown','roaming_bill','partners_called','own_platform']
STAY=['strategy','keep_published','station_price','strategy_user','card_key','card','charge','transaction_no','start_no','charge_move','meter_sample','meter_sample_rest','hold','bill','start_refused','orphan','activity','activity_shown','activity_use','fault','danger','grave_danger','gun','load','load_share','load_change','share_now','station_row','recharge_refund','bill_line','meter_curve','meter_curve_rest','measured']
camel=lambda s: re.sub(r'_([a-z])',lambda m:m.group(1).upper(),s)
TO={}
for n in PILE: TO[n]='pile'; TO[camel(n)]='pile'
for n in ROAM: TO[n]='roaming'; TO[camel(n)]='roaming'
RX=re.compile(r"(?<![\w.])charging\.("+'|'.join(sorted(TO,key=len,reverse=True))+r")(?![\w-])")
# whole strings that are no table: a signal, listeners, an answerer, a prepared statement's name
KEEP=[re.compile(p) for p in [
 r"PILE_SIGNAL = '$", r"on\(st(?:art|op)Wanted, '$", r"\.answer\('$", r"name: '$", r"\.name === '$", r"'--? ?$"]]
def hits(text):
    for m in RX.finditer(text):
        n=m.group(1); after=text[m.end():m.end()+1]
        if after=='.' and '_' not in n: continue          # an operation's id: charging.pile.query
        before=text[max(0,m.start()-40):m.start()]
        if any(k.search(before) for k in KEEP): continue
        yield m,n
def texts():
    for p in ['apps','bench','city','docs','domains','gateways','migrations','platform','scripts','tests','README.md','CONTRIBUTING.md']:
        full=os.path.join(ROOT,p)
        if os.path.isfile(full): yield p; continue
        for d,ds,fs in os.walk(full):
            ds[:]=[x for x in ds if x not in('node_modules','dist','.data')]
            for f in sorted(fs):
                if re.search(r'\.(tsx?|sql|md|txt|json|mjs)$',f) and f!='assurance.md': yield os.path.relpath(os.path.join(d,f),ROOT)
if __name__=='__main__':
    tot=Counter(); per={}
    for f in sorted(texts()):
        c=Counter(); names=defaultdict(Counter)
        for m,n in hits(open(os.path.join(ROOT,f),encoding='utf8').read()):
            c[TO[n]]+=1; names[TO[n]][n]+=1
        if c: per[f]=(c,names); tot.update(c)
    for f,(c,names) in per.items():
        print(f"{f}\tpile {c['pile']}\troaming {c['roaming']}\t"+'; '.join(f"{s}: "+', '.join(f'{n}×{k}' if k>1 else n for n,k in sorted(names[s].items())) for s in sorted(names)))
    print(len(per),dict(tot))
    if '--json' in sys.argv:
        import json
        out={}
        for f in sorted(texts()):
            text=open(os.path.join(ROOT,f),encoding='utf8').read()
            for m,n in hits(text):
                line=text.count('\n',0,m.start())+1; col=m.start()-(text.rfind('\n',0,m.start())+1)+1
                out.setdefault(f,[]).append([line,col,m.group(0),TO[n]+'.'+n])
        json.dump(out,open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'../renames.json'),'w'),ensure_ascii=False,indent=0)
