import { createHash } from 'node:crypto';
import type { InspectedMod, ModsChange, ModsChanged, ModsList } from '#contracts/servers/agent-mods.ts';
import type { AgentTask, MachineFacts } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import {
  joinPowerAgent,
  type PowerAgent,
  type PowerAgentOptions,
} from '../../servers/power/testing/power-agent.ts';
import { afterwards, emptyList } from './sample-mods.ts';

export interface ModsTask {
  readonly id: string;
  readonly change: ModsChange;
}

/** An agent of a server with mods, which keeps them in memory, over the real protocol. */
export interface ModsAgent extends Disposable {
  readonly power: PowerAgent;
  /** What it answers to `list-mods`; null: nothing at all. Anything but a list is what a hostile agent sends. */
  list: ModsList | Readonly<Record<string, unknown>> | null;
  /** Its cache holds no uploaded file. */
  isForgetful: boolean;
  /** What it finds in a file that it inspects. */
  inspects: InspectedMod['content'];
  readonly timesAsked: number;
  readonly changes: readonly ModsTask[];
  /** The next change that was not taken before. */
  nextChange(): Promise<ModsTask>;
  /** Carries out the change, like a working agent. */
  finish(task: ModsTask, result?: Partial<ModsChanged>): void;
}

export interface ModsAgentOptions extends Omit<PowerAgentOptions, 'machine'> {
  readonly machine?: Partial<MachineFacts>;
  readonly list?: ModsAgent['list'];
  /** Carries out each change immediately. */
  readonly isDiligent?: boolean;
}

const everyMs = 20;

export const changedTo = (revision: number, more: Partial<ModsChanged> = {}): ModsChanged => ({
  set: 'new',
  revision,
  isRolledBack: false,
  health: 'proven',
  failedAt: null,
  lines: [],
  notes: [],
  ...more,
});

export const joinModsAgent = async (
  port: number,
  serverId: string,
  { machine = {}, list = emptyList, isDiligent = false, ...options }: ModsAgentOptions = {},
): Promise<ModsAgent> => {
  const power = await joinPowerAgent(port, serverId, {
    ...options,
    machine: {
      tasks: ['power', 'list-mods', 'inspect-mod', 'change-mods'],
      allows: { power: true, files: true, mods: true },
      ...machine,
    },
  });
  const answered = new Set<string>();
  const all = () => power.tasks.map(({ id, task }) => ({ id, task: task as AgentTask }));
  const accept = (id: string) => power.send({ v: 1, type: 'tasks-accepted', taskIds: [id] });
  const changes = () =>
    all().flatMap(({ id, task }) => (task.kind === 'change-mods' ? [{ id, change: task.change }] : []));
  let taken = 0;
  const agent: ModsAgent = {
    power,
    list,
    isForgetful: false,
    inspects: { is: 'mods', mods: [] },
    get timesAsked() {
      return all().filter(({ task }) => task.kind === 'list-mods').length;
    },
    get changes() {
      return changes();
    },
    nextChange: () =>
      eventually(() => {
        const next = changes()[taken];
        if (!next) throw new Error('no change has come');
        taken += 1;
        accept(next.id);
        return next;
      }),
    finish({ id, change }, result) {
      const before = agent.list as ModsList;
      if (change.base !== before.revision)
        return power.end(id, 'refused', 'The mods have changed since the plan was made.');
      agent.list = afterwards(before, {
        ...change,
        lines: [],
        faults: [],
        downloadBytes: 0,
        unneeded: [],
        sources: [],
      });
      power.end(id, 'done', null, { ...changedTo((agent.list as ModsList).revision), ...result });
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      power[Symbol.dispose]();
    },
  };
  const answer = (id: string, task: AgentTask) => {
    if (task.kind === 'list-mods' && agent.list !== null) {
      answered.add(id);
      accept(id);
      power.end(id, 'done', null, agent.list as Record<string, unknown>);
    } else if (task.kind === 'inspect-mod') {
      answered.add(id);
      accept(id);
      if (agent.isForgetful && task.file.from.kind === 'api')
        return power.end(id, 'failed', 'The API has no such file.');
      const sha = (kind: string) => createHash(kind).update(task.file.name).digest('hex');
      power.end(id, 'done', null, {
        bytes: task.file.bytes ?? 10,
        sha512: sha('sha512'),
        sha1: sha('sha1'),
        fingerprint: 1,
        content: agent.inspects,
      });
    } else if (task.kind === 'change-mods' && isDiligent) {
      answered.add(id);
      accept(id);
      agent.finish({ id, change: task.change });
    }
  };
  const timer = setInterval(() => {
    for (const { id, task } of all()) if (!answered.has(id)) answer(id, task);
  }, everyMs);
  return agent;
};
