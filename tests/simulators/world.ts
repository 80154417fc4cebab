export interface Player {
  readonly name: string;
  /** As this game's list of players shows it: a UUID, a SteamID64, an EOS id, `Steam_…`. */
  readonly platformId: string;
  /** `EOS_…`, in 7 Days to Die alone; elsewhere the same as the platform id. */
  readonly crossId: string;
  /** An entity id, or ARK's in-game player id. */
  readonly numericId: number;
}

/** An item that really reached a player, however the reply fared. */
export interface Given {
  readonly player: string;
  readonly item: string;
  readonly quantity: number;
  /** Null where none was asked for. */
  readonly quality: number | null;
}

/** What the game said to its players; `to` is null for all of them. */
export interface Message {
  readonly to: string | null;
  readonly text: string;
}

export interface WorldObserver {
  joined(player: Player): void;
  left(player: Player, reason: string | null): void;
  chatted(player: Player, text: string): void;
}

export interface WorldOptions {
  readonly identify: (name: string) => Pick<Player, 'platformId' | 'crossId'>;
  readonly firstNumericId: number;
  /** Items that the game knows. */
  readonly items: Iterable<string>;
  readonly observer: WorldObserver;
  /** Told in the same tick in which it reached the player, before any reply. */
  readonly onGiven?: ((given: Given) => void) | undefined;
}

/** A game's world in memory: the truth that tests compare with what the product believes. */
export interface World {
  readonly players: readonly Player[];
  /** Every one of these was executed. */
  readonly given: readonly Given[];
  give(given: Given): void;
  /** Command lines that were executed, in order. */
  readonly commands: string[];
  /** Command lines that reached the game after login, executed or not, known or not. */
  readonly received: string[];
  readonly messages: Message[];
  /** What chat calls a player who is called otherwise, by the player's name. Nothing keeps two from being called the same. */
  readonly nicknames: Map<string, string>;
  /** Id or name, as the game keeps it, to the reason. */
  readonly bans: Map<string, string>;
  readonly whitelist: Set<string>;
  readonly items: Set<string>;
  saves: number;
  /** The game was told to shut down by its console. */
  onShutdown: () => void;
  /** Whoever comes back is the same player with the same ids. Throws for one who is there or banned. */
  join(name: string, ids?: Partial<Pick<Player, 'platformId' | 'crossId' | 'numericId'>>): Player;
  /** Throws for one who is not there, as chat does. */
  leave(name: string, reason?: string): void;
  chat(name: string, text: string): void;
  /** All players are gone and nothing is logged: the game was killed. */
  vanish(): void;
  named(name: string): Player | undefined;
  mayJoin(name: string): boolean;
}

export const createWorld = ({ identify, firstNumericId, items, observer, onGiven }: WorldOptions): World => {
  const given: Given[] = [];
  const known = new Map<string, Player>();
  const online = new Map<string, Player>();
  const present = (name: string): Player => {
    const player = online.get(name);
    if (!player) throw new Error(`${name} is not on the server`);
    return player;
  };
  const remember = (name: string): Player =>
    known.get(name) ?? { name, ...identify(name), numericId: firstNumericId + known.size };
  const isBanned = ({ name, platformId, crossId }: Player) =>
    [name, platformId, crossId].some((key) => world.bans.has(key));

  const world: World = {
    get players() {
      return [...online.values()];
    },
    given,
    give(one) {
      given.push(one);
      onGiven?.(one);
    },
    commands: [],
    received: [],
    messages: [],
    nicknames: new Map(),
    bans: new Map(),
    whitelist: new Set(),
    items: new Set(items),
    saves: 0,
    onShutdown: () => undefined,
    join(name, ids = {}) {
      if (online.has(name)) throw new Error(`${name} is on the server already`);
      const player: Player = { ...remember(name), ...ids };
      if (isBanned(player)) throw new Error(`${name} is banned`);
      known.set(name, player);
      online.set(name, player);
      observer.joined(player);
      return player;
    },
    leave(name, reason) {
      const player = present(name);
      online.delete(name);
      observer.left(player, reason ?? null);
    },
    chat: (name, text) =>
      observer.chatted({ ...present(name), name: world.nicknames.get(name) ?? name }, text),
    vanish: () => online.clear(),
    named: (name) => world.players.find((player) => player.name.toLowerCase() === name.toLowerCase()),
    mayJoin: (name) => !online.has(name) && !isBanned(remember(name)),
  };
  return world;
};
