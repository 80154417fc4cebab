import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { points } from './store.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative();

/** What happens to the members' points. */
const seasonBalances = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('cap'),
    /** Everything above is removed; 0 removes all. */
    most: points,
    whose: z.enum(['players', 'everyone']),
  }),
  z.strictObject({
    kind: z.literal('keep'),
    /** Rounded down to whole points. */
    percent: z.int().min(1).max(99),
    /** `players`: members who have a player of the season's game. */
    whose: z.enum(['players', 'everyone']),
  }),
]);
export type SeasonBalances = z.output<typeof seasonBalances>;

const chatLine = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line')
  .default('');

/** Texts by language; an empty one is not announced. */
export const seasonAnnouncement = z.strictObject({ en: chatLine, 'pt-BR': chatLine });

/** What a new season does. */
export const seasonPlan = z.strictObject({
  game: gameId,
  /** Both empty: every server of the game. */
  clusterIds: z.array(recordId).max(100).default([]),
  serverIds: z.array(recordId).max(500).default([]),
  /** When the worlds were wiped: what was delivered after that is not given again. Null: when the season begins. */
  wipedAt: time.nullable().default(null),
  balances: seasonBalances.prefault({ kind: 'none' }),
  /** Products whose limits start again with the season. */
  limitProductIds: z.array(recordId).max(500).default([]),
});
export type SeasonPlan = z.output<typeof seasonPlan>;

const regranted = z.object({
  productId: z.string(),
  name: z.string(),
  /** The most pieces per member; null: all. */
  most: z.int().nullable(),
  members: count,
  pieces: count,
  /** Why none of it can be given again; null if it can. */
  hindrance: z.string().nullable(),
  /** The code of `hindrance`, if it is one of the API's sentences. */
  reason: codedReason,
});

const seasonPreview = z
  .object({
    /**
     * A digest of what a person decides on: the plan, its servers, what is restored and how much of it, and the limits. Members,
     * balances and deliveries may move meanwhile; they are taken as they are when the season begins.
     */
    digest: z.string(),
    servers: z.array(z.object({ id: z.string(), name: z.string() })),
    regrants: z.array(regranted),
    balances: z.object({
      members: count,
      /** Points that these members have. */
      before: count,
      taken: count,
    }),
    /** Products in use in scope, and whether a season restores what members bought of them. */
    products: z.array(z.object({ productId: z.string(), name: z.string(), isRestored: z.boolean() })),
    /** Products in scope that have limits. */
    limits: z.array(z.object({ productId: z.string(), name: z.string(), isReset: z.boolean() })),
    /** Open deliveries to these servers. They wait while the season begins, and are sent afterwards. */
    open: z.object({ deliveries: count, members: count }),
  })
  .meta({ id: 'SeasonPreview' });
export type SeasonPreview = z.infer<typeof seasonPreview>;

const seasonStates = ['running', 'done', 'undoing', 'undone'] as const;
export type SeasonState = (typeof seasonStates)[number];

const progress = z.object({ waiting: count, done: count, skipped: count, undone: count });

const season = z
  .object({
    id: z.string(),
    name: z.string(),
    game: gameId,
    clusterIds: z.array(z.string()),
    serverIds: z.array(z.string()),
    wipedAt: time,
    createdAt: time,
    state: z.enum(seasonStates),
    endedAt: time.nullable(),
    undoneAt: time.nullable(),
    actorName: z.string().nullable(),
    undoneBy: z.string().nullable(),
    balances: seasonBalances,
    announcement: seasonAnnouncement,
    progress,
    /** What it has done, minus what was undone. */
    pieces: count,
    members: count,
    pointsTaken: count,
  })
  .meta({ id: 'Season' });
export type Season = z.infer<typeof season>;

/** A step that could not be done, or waits for something. */
const seasonStep = z.object({
  kind: z.enum(['balance', 'limit', 'regrant']),
  memberId: z.string().nullable(),
  memberName: z.string().nullable(),
  productName: z.string().nullable(),
  state: z.enum(['waiting', 'skipped']),
  detail: z.string(),
  /** The code of `detail`, if it is one of the API's sentences. */
  reason: codedReason,
});
const seasonDetails = season.extend({
  /** The first of each state. */
  hindered: z.array(seasonStep),
  /** The number of all. */
  hinderedSteps: z.object({ waiting: count, skipped: count }),
});
export type SeasonDetails = z.infer<typeof seasonDetails>;

/** Why a member prevents a season from being undone. */
export const undoHindrances = ['spent', 'received', 'erased'] as const;
const seasonUndo = z
  .object({
    isPossible: z.boolean(),
    /** Why the season as a whole cannot be undone; null if it depends on the members only. */
    obstacle: z.enum(['not-done', 'later-season']).nullable(),
    members: count,
    pieces: count,
    points: count,
    hindered: count,
    /** The first of them. */
    hindrances: z.array(
      z.object({ memberId: z.string(), memberName: z.string(), why: z.enum(undoHindrances) }),
    ),
  })
  .meta({ id: 'SeasonUndo' });
export type SeasonUndo = z.infer<typeof seasonUndo>;

const ofSeason = z.object({ id: recordId });

export const seasonsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/seasons',
    summary: 'List seasons, newest first',
    access: 'seasons.read',
    query: pageQuery,
    response: pageOf(season),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/seasons/:id',
    summary: 'Return a season, with what could not be done',
    access: 'seasons.read',
    params: ofSeason,
    response: seasonDetails,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/seasons/preview',
    summary: 'Preview what a new season would give, remove and reset; changes nothing',
    access: 'seasons.write',
    body: seasonPlan,
    response: seasonPreview,
    problems: [...changeProblems, 'CONFLICT'],
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/seasons',
    summary: 'Start a season, as previewed',
    access: 'seasons.write',
    proof: 'step-up',
    body: seasonPlan.extend({
      name: displayName,
      announcement: seasonAnnouncement.prefault({}),
      /** The preview's digest; refused if what was decided on has changed since. */
      digest: z.string().max(100),
    }),
    response: season,
    problems: [...changeProblems, 'CONFLICT'],
  }),
  previewUndo: endpoint({
    method: 'GET',
    path: '/api/seasons/:id/undo',
    summary: 'Return whether a season can be undone, and which members prevent it',
    access: 'seasons.read',
    params: ofSeason,
    response: seasonUndo,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/seasons/:id/undo',
    summary: 'Undo a season, as long as no member has spent or received anything since',
    access: 'seasons.write',
    proof: 'step-up',
    params: ofSeason,
    response: season,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
} as const;
export type NewSeason = z.output<(typeof seasonsHttp)['begin']['body']>;
