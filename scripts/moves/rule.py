import os,sys
os.chdir(sys.argv[1])
def sub(f,*prs):
    s=open(f).read()
    for a,b in prs:
        assert a in s,(f,a); s=s.replace(a,b,1)
    open(f,'w').write(s)
sub('tests/tidy/rules.ts',("/** A filter that acts is named by the choice","""const FOLDER_FILES = 40
/** A folder of very many files says nothing of any of them. Tests are not counted, and contracts lie flat because others read them; those still to be cut stand in tests/tidy/full-folders.txt. */
export const smallFolders =
  (left: ReadonlyMap<string, number>): Rule =>
  (sources) => {
    const files = Map.groupBy(
      sources.filter(({ file }) => !isTest(file) && !/^(tests|scripts)\\/|\\/contract\\//.test(file)),
      ({ file }) => file.slice(0, file.lastIndexOf('/')),
    )
    return [...new Set([...files.keys(), ...left.keys()])].flatMap((folder) => {
      const [now, most] = [files.get(folder)?.length ?? 0, left.get(folder) ?? FOLDER_FILES]
      if (now > most) return `${folder} has ${now} files: put those of one subject into a folder of their own (at most ${most}, better thirty).`
      return left.has(folder) && now < most ? `${folder} has ${now} files, tests/tidy/full-folders.txt says ${most}: lower the number, or take the line out at ${FOLDER_FILES}.` : []
    })
  }

/** A filter that acts is named by the choice"""))
sub('tests/tidy/source.test.ts',("const longLeft = countsOf('long-functions.txt')\n","const longLeft = countsOf('long-functions.txt')\nconst fullLeft = countsOf('full-folders.txt')\n"),
("  ['files are about one thing', rules.shortFiles],\n","  ['files are about one thing', rules.shortFiles],\n  ['folders show what is in them', rules.smallFolders(fullLeft)],\n"))
open('tests/tidy/full-folders.txt','w').write("""# `folder | files` of more than 40 files, tests not counted, that are still to be cut by subject. It only gets shorter.
domains/charging/server | 70
domains/charging/web | 50
""")
sub('CONTRIBUTING.md',("A noun has the same file name in `contract/`, `server/` and `web/`. Read `gate` in `domains/parking`.","A noun has the same file name in `contract/`, `server/` and `web/`; in a large domain, `server/` and `web/` have a folder for each subject (`server/place/gate.ts`). Read `gate` in `domains/parking`."),
("When `server/` or `web/` exceeds about 30 files, group related files in subfolders, as `server/log` and `web/log` in `domains/system`. Keep","When `server/` or `web/` exceeds about 30 files, group related files in folders by subject, as `lane/`, `stay/` and `place/` in `domains/parking`; a test refuses more than 40. Keep"))
