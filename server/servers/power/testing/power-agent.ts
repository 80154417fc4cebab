import { type AgentFrame, type ApiFrame, agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import type {
  MachineFacts,
  ProcessReport,
  TaskProgress,
  TaskResult,
} from '#contracts/servers/agent-tasks.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import { testAgentSecret } from '../../../kernel/testing/test-api.ts';
import { type AgentIdentity, agentIdentity, joinSocket } from '../../agents/testing/scripted-agent.ts';

const v = agentProtocolVersion;
type Task = Extract<ApiFrame, { type: 'task' }>;
type Heartbeat = Extract<AgentFrame, { type: 'heartbeat' }>;

const heartbeatMs = 3000;

/** An agent whose game is this test: what reaches its tasks has reached the game. */
export interface PowerAgent extends Disposable {
  readonly identity: AgentIdentity;
  /** The tasks sent to the game. */
  readonly tasks: readonly Task[];
  readonly cancelled: readonly string[];
  /** The next task that was not taken before. */
  nextTask(): Promise<Task>;
  tell(report: Partial<ProcessReport>): void;
  tellMachine(machine: Partial<MachineFacts>): void;
  progress(taskId: string, progress: TaskProgress): void;
  end(
    taskId: string,
    outcome: TaskResult['outcome'],
    detail?: string | null,
    value?: TaskResult['value'],
  ): void;
  send(frame: AgentFrame): void;
}

export const machineThatAllows: MachineFacts = {
  platform: 'linux',
  folder: '/srv/games/fjord',
  startMethod: 'holder',
  startDetail: './start.sh',
  account: 'steam',
  allows: { power: true, files: false, mods: false },
  tasks: ['power'],
  hasConsole: true,
};

export const stoppedReport: ProcessReport = {
  state: 'stopped',
  wanted: 'stopped',
  detail: null,
  pid: null,
  upMs: null,
  crashes: 0,
  nextStartInMs: null,
  lastCrash: null,
};

export interface PowerAgentOptions {
  readonly machine?: Partial<MachineFacts> | null;
  readonly identity?: AgentIdentity;
  readonly game?: GameId;
  /** What it first reports about the game's process. */
  readonly process?: Partial<ProcessReport>;
}

/** Connects an agent that has reported its machine and a stopped game. */
export const joinPowerAgent = async (
  port: number,
  serverId: string,
  {
    machine = {},
    process = {},
    game = 'minecraft',
    identity = agentIdentity(serverId, testAgentSecret),
  }: PowerAgentOptions = {},
): Promise<PowerAgent> => {
  const agent = await joinSocket(port, identity, { changes: { game } });
  agent.send({ v, type: 'command-journal', journal: identity.journal });
  const tellMachine = (facts: Partial<MachineFacts>) =>
    agent.send({
      v,
      type: 'machine',
      taskJournal: identity.journal,
      machine: { ...machineThatAllows, ...facts },
    });
  if (machine) {
    tellMachine(machine);
    agent.send({ v, type: 'process', process: { ...stoppedReport, ...process } });
  }
  let newest: Heartbeat = { v, type: 'heartbeat', number: 1, state: 'online', detail: null, players: [] };
  agent.send(newest);
  /** On a busy machine, a test lasts longer than an agent may be silent. */
  const beating = setInterval(() => agent.send(newest), heartbeatMs);
  const stopBeating = () => clearInterval(beating);
  void agent.closed.then(stopBeating, stopBeating);
  let taken = 0;
  const tasks = () => agent.frames.filter((frame) => frame.type === 'task');
  return {
    identity,
    get tasks() {
      return tasks();
    },
    get cancelled() {
      return agent.frames.flatMap((frame) => (frame.type === 'task-cancel' ? [frame.id] : []));
    },
    nextTask: () =>
      eventually(() => {
        const task = tasks()[taken];
        if (!task) throw new Error('no task has come');
        taken += 1;
        agent.send({ v, type: 'tasks-accepted', taskIds: [task.id] });
        return task;
      }),
    tellMachine,
    tell: (report) => agent.send({ v, type: 'process', process: { ...stoppedReport, ...report } }),
    progress: (taskId, progress) => agent.send({ v, type: 'task-progress', taskId, progress }),
    end: (taskId, outcome, detail = null, value = null) =>
      agent.send({
        v,
        type: 'task-result',
        taskId,
        result: { outcome, detail, value },
      }),
    send(frame) {
      if (frame.type === 'heartbeat') newest = frame;
      agent.send(frame);
    },
    [Symbol.dispose]() {
      stopBeating();
      agent[Symbol.dispose]();
    },
  };
};
