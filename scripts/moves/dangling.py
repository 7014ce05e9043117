import re,os,subprocess,sys
os.chdir(sys.argv[1])
t=set(subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n'))
n=0
for f in t:
    if not f.endswith(('.ts','.tsx','.mjs','.css')): continue
    s=open(f).read()
    for m in re.finditer(r"(?:from|import|import\(|mock\(|module|url\(|URL\(|require\()\s*\(?['\"](\.{1,2}/[^'\"?]*)",s):
        p=os.path.normpath(os.path.join(os.path.dirname(f),m.group(1)))
        if p not in t and not os.path.exists(p):
            print(f,m.group(0)); n+=1
print(n)
