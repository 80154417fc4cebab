/**
 * The state of a server in a wave.
 * - `waiting`: not begun; `isReady` when it may be tried now
 * - `under-way`: its job has not ended
 * - `proven`: it has its new set and stayed healthy
 * - `changed`: it has its new set, but nothing proved that the game runs with it
 * - `nothing`: there was nothing to change
 * - `blocked`: it could not be begun; nothing was changed
 * - `failed`: its job did not end well
 */
export type WaveServerState =
  | 'waiting'
  | 'under-way'
  | 'proven'
  | 'changed'
  | 'nothing'
  | 'blocked'
  | 'failed';

export interface WaveStanding {
  readonly state: WaveServerState;
  readonly isReady: boolean;
}

export interface WaveDecision {
  readonly state: 'first' | 'others' | 'done' | 'stopped';
  /** Positions of servers to begin now. */
  readonly begin: readonly number[];
  /** The position of the server that stopped the wave. */
  readonly stoppedBy: number | null;
}

/** How many servers after the first are changed at the same time: a starting game takes most of a machine. */
export const mostAtOnce = 3;

/**
 * The first server with something to change goes alone, and the others begin only when it is proven: a server that was not
 * running has shown nothing. After that, each failure keeps further servers from beginning; one that cannot be begun is
 * skipped, because nothing has happened to it.
 */
export const decideWave = (servers: readonly WaveStanding[]): WaveDecision => {
  const positions = [...servers.keys()];
  const inState = (state: WaveServerState) =>
    positions.filter((position) => servers[position]?.state === state);
  const first = servers.findIndex(({ state }) => state !== 'nothing');
  const state = servers[first]?.state === 'proven' ? 'others' : 'first';
  const underWay = inState('under-way').length;
  const waiting = inState('waiting');
  const stopped = (stoppedBy: number): WaveDecision => ({
    state: underWay > 0 ? state : 'stopped',
    begin: [],
    stoppedBy,
  });

  const [failed] = inState('failed');
  if (failed !== undefined) return stopped(failed);
  if (state === 'others') {
    if (waiting.length + underWay === 0) return { state: 'done', begin: [], stoppedBy: null };
    const ready = waiting.filter((position) => servers[position]?.isReady);
    return { state, begin: ready.slice(0, Math.max(0, mostAtOnce - underWay)), stoppedBy: null };
  }
  switch (servers[first]?.state) {
    case undefined:
      return { state: 'done', begin: [], stoppedBy: null };
    case 'waiting':
      return { state, begin: servers[first]?.isReady && underWay === 0 ? [first] : [], stoppedBy: null };
    case 'under-way':
      return { state, begin: [], stoppedBy: null };
    default:
      return stopped(first);
  }
};
