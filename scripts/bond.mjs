// Loaded into every program that scripts/installed.mjs starts: it stops when the process that started it is gone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref() // the bond alone does not keep a finished program running
