import type * as z from 'zod';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { Product, ProductLimits, ProductLine, productDraft } from '#contracts/store/store.ts';
import type { EveryField } from '../../kit/forms/every-field.ts';
import { asInstant, asLocal, draftTimeZone } from '../../kit/records/range.ts';
import { draftOfLasts, fieldsOfLasts, type LastsFields } from './lasting-draft.ts';

/** A number field; empty means no value. */
export type Typed = number | '';

export interface ItemFields {
  readonly kind: 'item';
  readonly key: number;
  readonly item: string;
  readonly quantity: Typed;
  readonly quality: Typed;
  readonly lasts: LastsFields | null;
}

export interface CommandFields {
  readonly kind: 'command';
  readonly key: number;
  readonly command: string;
  /** Patterns, one per line. */
  readonly success: string;
  readonly failure: string;
  readonly needsPlayer: boolean;
  readonly counterCommand: string;
  readonly lasts: LastsFields | null;
}

export interface RoleFields {
  readonly kind: 'role';
  readonly key: number;
  /** Empty: none is chosen. */
  readonly roleId: string;
  readonly roleName: string;
  readonly lasts: LastsFields | null;
}

export interface PartFields {
  readonly kind: 'product';
  readonly key: number;
  /** Empty: none is chosen. */
  readonly productId: string;
  readonly quantity: Typed;
}

/** The parts that can be given for a limited time. */
export type LastingFields = ItemFields | CommandFields | RoleFields;
export type LineFields = LastingFields | PartFields;

/** Local times, to the minute. */
export interface PriceFields {
  readonly key: number;
  readonly from: string;
  /** Empty: with no end. */
  readonly until: string;
  readonly price: Typed;
}

/** A product as typed in the editor. */
export interface ProductFields {
  readonly name: string;
  /** Empty: made from the name. */
  readonly shortCode: string;
  readonly description: string;
  readonly category: string;
  readonly price: Typed;
  readonly prices: readonly PriceFields[];
  readonly game: GameId;
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly LineFields[];
  readonly stock: Typed;
  readonly isEnabled: boolean;
  readonly perMember: Typed;
  readonly periodCount: Typed;
  readonly periodDays: Typed;
  readonly cooldown: Typed;
  readonly cooldownUnit: CooldownUnit;
  /** An IANA name; the typed times are in this zone: a draft is kept while the reader's own zone may change. */
  readonly zone: string;
  /** Local time, to the minute. */
  readonly saleFrom: string;
  readonly saleUntil: string;
  readonly onWipe: Product['onWipe'];
  readonly regrantMost: Typed;
}

/** The props of one section of the editor. */
export interface FieldsProps {
  readonly fields: ProductFields;
  readonly onChange: (changes: Partial<ProductFields>) => void;
}

/** In seconds. */
export const cooldownUnits = [1, 60, 3600, 86_400] as const;
type CooldownUnit = (typeof cooldownUnits)[number];

let made = 0;
/** Identifies a line while lines are moved and removed. */
const newKey = (): number => {
  made += 1;
  return made;
};

export const newItem = (): ItemFields => ({
  kind: 'item',
  key: newKey(),
  item: '',
  quantity: 1,
  quality: '',
  lasts: null,
});

export const newCommand = (): CommandFields => ({
  kind: 'command',
  key: newKey(),
  command: '',
  success: '',
  failure: '',
  needsPlayer: true,
  counterCommand: '',
  lasts: null,
});

export const newRole = (): RoleFields => ({
  kind: 'role',
  key: newKey(),
  roleId: '',
  roleName: '',
  lasts: null,
});

export const newPart = (): PartFields => ({ kind: 'product', key: newKey(), productId: '', quantity: 1 });

export const newPrice = (): PriceFields => ({ key: newKey(), from: '', until: '', price: '' });

export const newFields = (game: GameId): ProductFields => ({
  name: '',
  shortCode: '',
  description: '',
  category: '',
  price: 100,
  prices: [],
  game,
  clusterIds: [],
  serverIds: [],
  lines: [games[game].hasItems ? newItem() : newCommand()],
  stock: '',
  isEnabled: true,
  perMember: '',
  periodCount: '',
  periodDays: '',
  cooldown: '',
  cooldownUnit: 60,
  zone: draftTimeZone(),
  saleFrom: '',
  saleUntil: '',
  onWipe: 'nothing',
  regrantMost: '',
});

/** The lines of a draft whose game changes: an item that is not chosen yet becomes a command where the game gives none. */
export const linesForGame = (game: GameId, lines: readonly LineFields[]): readonly LineFields[] =>
  games[game].hasItems
    ? lines
    : lines.map((line) => (line.kind === 'item' && line.item.trim() === '' ? newCommand() : line));

const cooldownUnitOf = (seconds: number): CooldownUnit =>
  cooldownUnits.findLast((unit) => seconds % unit === 0) ?? 1;

const fieldsOfLine = (line: ProductLine): LineFields => {
  switch (line.kind) {
    case 'item':
      return {
        ...newItem(),
        item: line.item,
        quantity: line.quantity,
        quality: line.quality ?? '',
        lasts: fieldsOfLasts(line.lasts),
      };
    case 'command':
      return {
        ...newCommand(),
        command: line.command,
        success: line.success.join('\n'),
        failure: line.failure.join('\n'),
        needsPlayer: line.needsPlayer,
        counterCommand: line.counterCommand ?? '',
        lasts: fieldsOfLasts(line.lasts),
      };
    case 'product':
      return { ...newPart(), productId: line.productId, quantity: line.quantity };
    case 'role':
      return {
        ...newRole(),
        roleId: line.roleId,
        roleName: line.roleName,
        lasts: fieldsOfLasts(line.lasts),
      };
  }
};

export const fieldsOf = (product: Product, zone = draftTimeZone()): ProductFields => {
  const { limits } = product;
  const unit = cooldownUnitOf(limits.cooldownSeconds ?? 60);
  return {
    name: product.name,
    shortCode: product.shortCode ?? '',
    description: product.description,
    category: product.category,
    price: product.price,
    prices: product.priceSchedule.map(({ from, until, price }) => ({
      ...newPrice(),
      from: asLocal(from, zone),
      until: asLocal(until ?? undefined, zone),
      price,
    })),
    game: product.game,
    clusterIds: product.clusterIds,
    serverIds: product.serverIds,
    lines: product.lines.map(fieldsOfLine),
    stock: product.stock ?? '',
    isEnabled: product.isEnabled,
    perMember: limits.perMember ?? '',
    periodCount: limits.perPeriod?.count ?? '',
    periodDays: limits.perPeriod?.days ?? '',
    cooldown: limits.cooldownSeconds === undefined ? '' : limits.cooldownSeconds / unit,
    cooldownUnit: unit,
    zone,
    saleFrom: asLocal(limits.saleFrom, zone),
    saleUntil: asLocal(limits.saleUntil, zone),
    onWipe: product.onWipe,
    regrantMost: product.regrantMost ?? '',
  };
};

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

type Draft = z.input<typeof productDraft>;

const draftOfLine = (line: LineFields): EveryField<Draft['lines'][number]> => {
  switch (line.kind) {
    case 'item':
      return {
        kind: 'item',
        item: line.item,
        quantity: Number(line.quantity),
        quality: line.quality === '' ? undefined : line.quality,
        lasts: line.lasts ? { ...draftOfLasts(line.lasts), everyDay: true } : undefined,
      };
    case 'command':
      return {
        kind: 'command',
        command: line.command,
        success: linesIn(line.success),
        failure: linesIn(line.failure),
        needsPlayer: line.needsPlayer,
        counterCommand: line.counterCommand.trim() === '' ? undefined : line.counterCommand,
        lasts: line.lasts ? { ...draftOfLasts(line.lasts), taken: linesIn(line.lasts.taken) } : undefined,
      };
    case 'product':
      return { kind: 'product', productId: line.productId, quantity: Number(line.quantity) };
    case 'role':
      return {
        kind: 'role',
        roleId: line.roleId,
        roleName: line.roleName,
        lasts: line.lasts ? draftOfLasts(line.lasts) : undefined,
      };
  }
};

/** @param before the saved product: an untouched time keeps its seconds */
export const draftOf = (fields: ProductFields, before: Product | null): EveryField<Draft> => {
  const { periodCount: count, periodDays: days, zone } = fields;
  const instant = (typed: string, saved: string | undefined) =>
    saved !== undefined && asLocal(saved, zone) === typed ? saved : asInstant(typed, zone);
  const saleFrom = instant(fields.saleFrom, before?.limits.saleFrom);
  const saleUntil = instant(fields.saleUntil, before?.limits.saleUntil);
  const savedTimes = (before?.priceSchedule ?? []).flatMap(({ from, until }) => [from, until ?? undefined]);
  const instantOf = (typed: string): string =>
    instant(
      typed,
      savedTimes.find((saved) => asLocal(saved, zone) === typed),
    ) ?? '';
  return {
    name: fields.name,
    shortCode: fields.shortCode.trim() === '' ? null : fields.shortCode,
    description: fields.description,
    category: fields.category,
    price: Number(fields.price),
    priceSchedule: fields.prices.map(({ from, until, price }) => ({
      from: instantOf(from),
      until: until === '' ? null : instantOf(until),
      price: Number(price),
    })),
    game: fields.game,
    clusterIds: [...fields.clusterIds],
    serverIds: [...fields.serverIds],
    lines: fields.lines.map(draftOfLine),
    limits: {
      perMember: fields.perMember === '' ? undefined : fields.perMember,
      perPeriod: count === '' || days === '' ? undefined : { count, days },
      cooldownSeconds: fields.cooldown === '' ? undefined : Math.round(fields.cooldown * fields.cooldownUnit),
      saleFrom,
      saleUntil,
    } satisfies EveryField<ProductLimits>,
    stock: fields.stock === '' ? null : fields.stock,
    isEnabled: fields.isEnabled,
    onWipe: fields.onWipe,
    regrantMost: fields.regrantMost === '' ? null : fields.regrantMost,
  };
};

/** Whether saving would change nothing. */
export const isUntouched = (fields: ProductFields, base: Product | null): boolean =>
  JSON.stringify(draftOf(fields, base)) ===
  JSON.stringify(draftOf(base ? fieldsOf(base) : newFields(fields.game), base));

export type FieldFault = 'periodHalf' | 'saleOrder' | 'priceOrder';

export const isBackwards = ({ from, until }: PriceFields): boolean =>
  from !== '' && until !== '' && until <= from;

/** The contradiction between fields; null if there is none. */
export const faultIn = ({
  periodCount,
  periodDays,
  saleFrom,
  saleUntil,
  prices,
}: ProductFields): FieldFault | null => {
  if ((periodCount === '') !== (periodDays === '')) return 'periodHalf';
  if (prices.some(isBackwards)) return 'priceOrder';
  return saleFrom !== '' && saleUntil !== '' && saleUntil <= saleFrom ? 'saleOrder' : null;
};
