import type { AgentTask, MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { joinPowerAgent, type PowerAgent, type PowerAgentOptions } from '../../power/testing/power-agent.ts';

export const savesKinds = [
  'power',
  'backup-saves',
  'list-saves',
  'restore-saves',
  'undo-restore',
  'confirm-restore',
  'schedule-saves',
] as const;

export const backupNamed = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  at: `${name.slice(0, 10)}T${name.slice(11, 19).replaceAll('-', ':')}.000Z`,
  bytes: 5_000_000,
  storedBytes: 2_000_000,
  files: 12,
  notes: [] as unknown,
  ...more,
});

export const listOf = (...names: readonly string[]): Record<string, unknown> => ({
  backups: names.map((name) => backupNamed(name)),
  unconfirmed: null,
  nightly: null,
  freeBytes: 9_000_000_000,
});

/** An agent whose saves are this test. */
export interface SavesAgent extends Disposable {
  readonly power: PowerAgent;
  /** What it answers to `list-saves`; null: nothing at all. */
  list: Record<string, unknown> | null;
  /** How often it was asked for its list. */
  readonly timesAsked: number;
  /** The next task that is not a request for the list. */
  nextTask(): Promise<{ readonly id: string; readonly task: AgentTask }>;
  /** Without requests for the list. */
  readonly tasks: readonly { readonly id: string }[];
}

export interface SavesAgentOptions extends Omit<PowerAgentOptions, 'machine'> {
  readonly machine?: Partial<MachineFacts> | null;
  readonly list?: Record<string, unknown> | null;
}

const everyMs = 5;

export const joinSavesAgent = async (
  port: number,
  serverId: string,
  { machine = {}, list = listOf(), ...options }: SavesAgentOptions = {},
): Promise<SavesAgent> => {
  const power = await joinPowerAgent(port, serverId, {
    ...options,
    machine: machine && {
      tasks: [...savesKinds],
      allows: { power: true, files: true, mods: false },
      ...machine,
    },
  });
  const answered = new Set<string>();
  const ofKind = (isList: boolean) =>
    power.tasks.filter(({ task }) => (task.kind === 'list-saves') === isList);
  let taken = 0;
  const agent: SavesAgent = {
    power,
    list,
    get timesAsked() {
      return ofKind(true).length;
    },
    get tasks() {
      return ofKind(false);
    },
    nextTask: () =>
      eventually(() => {
        const next = ofKind(false)[taken];
        if (!next) throw new Error('no task has come');
        taken += 1;
        power.send({ v: 1, type: 'tasks-accepted', taskIds: [next.id] });
        return { id: next.id, task: next.task as AgentTask };
      }),
    [Symbol.dispose]() {
      clearInterval(timer);
      power[Symbol.dispose]();
    },
  };
  const timer = setInterval(() => {
    for (const { id } of ofKind(true)) {
      if (agent.list === null || answered.has(id)) continue;
      answered.add(id);
      power.send({ v: 1, type: 'tasks-accepted', taskIds: [id] });
      power.end(id, 'done', null, agent.list);
    }
  }, everyMs);
  return agent;
};
