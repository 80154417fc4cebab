import {
  type ApiFrame,
  agentCapabilities,
  agentProtocolVersion,
  type HelloFrame,
} from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { Admit, Admitted } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { AgentLink } from './agent-link.ts';
import type { AgentProof } from './agent-proof.ts';
import type { AgentTiming } from './agent-timing.ts';
import type { Attendance } from './attendance.ts';
import type { TakeFrame } from './frame-intake.ts';
import type { Nonces } from './nonces.ts';
import { createPolls, type TakePoll } from './polls.ts';
import type { Seat } from './seats.ts';
import { createSocketDoor, type SocketDoor } from './socket-door.ts';
import { createUnwrittenWork } from './unwritten-work.ts';
import type { RoomLimits } from './waiting-room.ts';

export interface AgentDoorsOptions {
  readonly admit: Admit;
  readonly proof: Pick<AgentProof, 'ofApi'>;
  readonly nonces: Nonces;
  readonly attendance: Attendance;
  readonly commands: AgentCommands;
  readonly take: TakeFrame;
  /** @throws {Problem} when no agent may come in any more */
  readonly demandReady: () => void;
  readonly timing: AgentTiming;
  readonly roomLimits: RoomLimits;
  readonly now: () => number;
  readonly log: Log;
}

const v = agentProtocolVersion;

/** The two ways in: a WebSocket that stays, and polls. */
export const createAgentDoors = (
  options: AgentDoorsOptions,
): { readonly sockets: SocketDoor; readonly takePoll: TakePoll } => {
  const { admit, proof, nonces, attendance, commands, take, demandReady, timing, now, log } = options;
  const { sitDown, heard, getUp } = attendance;

  const welcome = ({ facts, serverName }: Admitted, hello: HelloFrame): ApiFrame => ({
    v,
    type: 'welcome',
    proof: proof.ofApi(hello),
    serverName,
    heartbeatSeconds: timing.heartbeat[facts.mode] / 1000,
    staleSeconds: timing.stale[facts.mode] / 1000,
    capabilities: [...agentCapabilities],
  });
  const watchFrame = ({ watchUntilMs }: Seat): ApiFrame | null => {
    const seconds = Math.ceil((watchUntilMs - now()) / 1000);
    return seconds > 0 ? { v, type: 'watch', seconds } : null;
  };

  const unwritten = new WeakMap<AgentLink, ReturnType<typeof createUnwrittenWork>>();
  const writerOf = (link: AgentLink) => {
    const writer = unwritten.get(link) ?? createUnwrittenWork(timing.retry, log);
    unwritten.set(link, writer);
    return writer;
  };

  const sockets = createSocketDoor({
    admit,
    arrive(admitted, hello, link) {
      sitDown(admitted, link);
      link.send(welcome(admitted, hello));
      const watching = watchFrame(admitted.seat);
      if (watching) link.send(watching);
      void commands.pump(admitted.seat.serverId);
    },
    take(seat, link, frame, size) {
      // Another one has taken its place; what it says it will say again there.
      if (seat.link !== link) return;
      heard(seat);
      const work = take(seat, link, frame, (said) => link.send(said));
      if (work) writerOf(link)(link, work, size);
    },
    left: getUp,
    helloMs: timing.hello,
    roomLimits: options.roomLimits,
    now,
    log,
  });
  const takePoll = createPolls({
    async admit(hello, source) {
      const outcome = await admit(hello, source);
      // It took a moment, and there is nobody left to end a poll that is held from now on.
      demandReady();
      return outcome;
    },
    nonces,
    commands,
    take,
    arrive: sitDown,
    heard,
    welcome,
    watchFrame,
    holdMs: timing.hold,
    now,
  });
  return { sockets, takePoll };
};
