import type { CommandResult } from '#contracts/servers/games.ts';
import type { Game, GameActions, PlayerReference, Rendered, Verdict } from './game.ts';

/** The values of a template's placeholders. Null if unknown: a template that needs it is refused. */
export interface TemplateValues {
  readonly player: string | null;
  readonly platformId: string | null;
  readonly handle: string | null;
  readonly survivorNumber: string | null;
  readonly quantity: number;
  readonly orderId: string;
}

/** Patterns of replies that mean success or failure; `*` stands for any text. */
export interface ReplyPatterns {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

export interface KnownItem {
  readonly id: string;
  readonly name: string;
}

/** How the game's own commands are addressed in a guarded command. */
export type GuardForm = 'namespaced' | 'plain';

/** The game's own record of one gift. `refused`: the game tried and gave nothing. */
export type GuardMark = 'given' | 'refused' | 'withdrawn' | 'absent' | 'unreadable';

export interface GuardedGift {
  /** The gift's id: letters, digits and hyphens. */
  readonly id: string;
  readonly give: GameActions['give'];
}

/**
 * A game that remembers gifts by id: however often a gift is sent, it is given at most once, and its outcome can be queried. An
 * absent mark proves that nothing happened only if the game is known to have run without interruption.
 */
export interface GiveGuard {
  /**
   * Tests whether the game keeps marks, and removes those of the test.
   * @param run sends a command, always on the same connection; never rejects
   */
  probe(
    run: (command: string) => Promise<CommandResult>,
  ): Promise<{ readonly form: GuardForm } | { readonly unfit: string }>;
  render(gift: GuardedGift, form: GuardForm): Rendered;
  /** `unproven` is usual when the gift was skipped: query the mark then. */
  read(reply: string, gift: GuardedGift): Verdict;
  /** Reads the mark. */
  readonly query: { command(id: string, form: GuardForm): string; read(reply: string): GuardMark };
  /** Keeps the gift from being given later, unless it has already been given; query the mark afterwards. */
  withdraw(id: string, form: GuardForm): string;
  /** Removes the mark of a settled gift. */
  forget(id: string, form: GuardForm): string;
  /** The world's clock in ticks, 20 per second. It stops while the game is down and goes back when the world is rolled back. */
  readonly clock: { command(form: GuardForm): string; read(reply: string): number | null };
}

/** What the store needs of a game. */
export interface StoreForms {
  /** The most pieces of any item in one command. */
  readonly mostAtOnce: number;
  /** Whether the reply to a gift proves it. */
  readonly provesGifts: boolean;
  /** Whether gifts address the player by the survivor number on that server. */
  readonly needsSurvivorNumber: boolean;
  /** Null, or why this item cannot be given. */
  itemFault(item: string, quality: number | undefined): string | null;
  /** The shipped items, by name. */
  items(): readonly KnownItem[];
  /** The item's id in lists, whatever its spelling. */
  itemKey(id: string): string;
  /** Refuses values that could add a command or an argument. */
  renderTemplate(template: string, values: TemplateValues): Rendered;
  /**
   * No value of the template, such as a name, can fake a reply. Patterns match whole lines and may contain placeholders. Without
   * a success pattern, a reply that is not a failure is `unproven`.
   */
  readTemplateReply(reply: string, patterns: ReplyPatterns, values: TemplateValues): Verdict;
  /**
   * Whose ids 32 hexadecimal digits are, as shops send them: an Epic id looks like a Minecraft one without hyphens. Null: no one's,
   * since the game gives each character such a number.
   */
  readonly bareIdPlatform: 'minecraft' | 'eos' | null;
  /** The platform id in an id that only this game or its shops write, such as `gdk_2535…`; null for anything else. */
  readOwnId(text: string): string | null;
  /** The player reference that this game's gifts need. */
  referenceOf(values: TemplateValues): PlayerReference;
  readonly guard: GiveGuard | null;
  /** A player with both ids known: rendering for them shows whether a template is possible at all. */
  readonly sample: { readonly platformId: string; readonly handle: string };
}

/** A game's adapter, with what the store needs. */
export interface SoldGame extends Game {
  readonly store: StoreForms;
}
