import type { MachineFacts, ProcessReport } from '#contracts/agent-tasks.ts';

/** What an agent says of a machine on which nothing is allowed. */
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

/** What it says of a game that runs. */
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
