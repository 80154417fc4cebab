import type { MachineFacts, ProcessReport } from '#contracts/servers/agent-tasks.ts';

/** What an agent reports about a machine on which nothing is allowed. */
export const toldMachine: MachineFacts = {
  platform: 'linux',
  folder: null,
  startMethod: 'none',
  startDetail: null,
  account: null,
  allows: { power: false, files: false, mods: false },
  tasks: [],
  hasConsole: true,
};

/** What it reports about a running game. */
export const toldProcess: ProcessReport = {
  state: 'running',
  wanted: 'running',
  detail: null,
  pid: 17,
  upMs: 5,
  crashes: 0,
  nextStartInMs: null,
  lastCrash: null,
};
