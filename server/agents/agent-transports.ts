import {
  type ApiFrame,
  agentCapabilities,
  agentProtocolVersion,
  type HelloFrame,
} from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import type { Admit, Admitted } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';
import type { AgentSession } from './agent-session.ts';
import type { AgentSessions } from './agent-sessions.ts';
import type { AgentTiming } from './agent-timing.ts';
import type { TakeFrame } from './frame-intake.ts';
import { createPersistQueue } from './frame-intake.ts';
import type { Nonces } from './nonces.ts';
import type { HandshakeLimits } from './pending-handshakes.ts';
import { createPolls, type TakePoll } from './polls.ts';
import type { ReleaseOffer } from './release-offer.ts';
import { createSocketTransport, type SocketTransport } from './socket-transport.ts';

export interface AgentTransportsOptions {
  readonly admit: Admit;
  readonly nonces: Nonces;
  readonly agentSessions: AgentSessions;
  readonly commands: AgentCommands;
  readonly tasks: Pick<TaskLane, 'polled'>;
  readonly take: TakeFrame;
  readonly offerRelease: ReleaseOffer;
  /** @throws {Problem} when no agent may connect any more */
  readonly demandReady: () => void;
  readonly timing: AgentTiming;
  readonly handshakeLimits: HandshakeLimits;
  readonly now: () => number;
  readonly log: Log;
}

const v = agentProtocolVersion;

/** The two ways to connect: a WebSocket that stays open, and polls. */
export const createAgentTransports = (
  options: AgentTransportsOptions,
): { readonly sockets: SocketTransport; readonly takePoll: TakePoll } => {
  const { admit, nonces, agentSessions, commands, tasks, take, demandReady, timing, now, log } = options;
  const { attach, heard, detach } = agentSessions;

  const welcome = ({ facts, serverName, proof }: Admitted, hello: HelloFrame): ApiFrame => ({
    v,
    type: 'welcome',
    proof: proof.ofApi(hello),
    serverName,
    heartbeatSeconds: timing.heartbeat[facts.mode] / 1000,
    staleSeconds: timing.stale[facts.mode] / 1000,
    capabilities: [...agentCapabilities],
  });
  const watchFrame = ({ watchUntilMs }: AgentSession): ApiFrame | null => {
    const seconds = Math.ceil((watchUntilMs - now()) / 1000);
    return seconds > 0 ? { v, type: 'watch', seconds } : null;
  };

  const persistQueues = new WeakMap<AgentLink, ReturnType<typeof createPersistQueue>>();
  const writerOf = (link: AgentLink) => {
    const writer = persistQueues.get(link) ?? createPersistQueue(timing.retry, log);
    persistQueues.set(link, writer);
    return writer;
  };

  const passedOver = new WeakSet<AgentLink>();
  /** A frame of a newer agent; logged once per connection. */
  const passOver = ({ serverId }: AgentSession, link: AgentLink) => {
    if (!passedOver.has(link)) log.info({ serverId }, 'ignored an unknown frame from a newer Game Agent');
    passedOver.add(link);
  };

  const sockets = createSocketTransport({
    admit,
    passOver,
    arrive(admitted, hello, link) {
      attach(admitted, link);
      link.send(welcome(admitted, hello));
      const watching = watchFrame(admitted.session);
      if (watching) link.send(watching);
      const offered = options.offerRelease(hello.agentVersion);
      if (offered) link.send(offered.frame);
      void commands.pump(admitted.session.serverId);
    },
    take(session, link, frame, size) {
      // Another link has replaced it; the agent will repeat there what it says.
      if (session.link !== link) return;
      heard(session);
      const work = take(session, link, frame, (said) => link.send(said));
      if (work) writerOf(link)(link, work, size);
    },
    left: detach,
    helloMs: timing.hello,
    handshakeLimits: options.handshakeLimits,
    now,
    log,
  });
  const takePoll = createPolls({
    async admit(hello, source) {
      const outcome = await admit(hello, source);
      // The work took a moment, and no one is left to end a poll that is held from now on.
      demandReady();
      return outcome;
    },
    nonces,
    commands,
    tasks,
    take,
    arrive: attach,
    passOver,
    heard,
    welcome,
    watchFrame,
    offerRelease: options.offerRelease,
    holdMs: timing.hold,
    now,
  });
  return { sockets, takePoll };
};
