import { type Refusal, refuse } from '../http/refusal.ts';
import { nameKey } from './name-key.ts';

/**
 * Letters that look like a Latin one, each before it: what Unicode's confusables.txt (TR39) has for the small letters of
 * the scripts whose whole words can pass for Latin, which are Cyrillic, Greek and Armenian.
 */
const pairs = [
  'аa ѵv еe ёë кk мm оo рp сc тt уy хx ѕs іi їï јj ԛq ԝw һh ԁd ӏl гr пn вb нh',
  'αa γy ιi κk νv οo ρp σo τt υu χx ηn βb εe ωw',
  'օo սu հh ոn ցg զq յj',
];
const prototypes = new Map(
  pairs.flatMap((line) => line.split(' ')).map((pair) => [...pair] as [string, string]),
);

/** What a name looks like: names with the same skeleton cannot be told apart. It is compared, never kept or shown. */
const nameSkeleton = (name: string): string =>
  [...nameKey(name)].map((character) => prototypes.get(character) ?? character).join('');

/** @param ownId whose name it is to be, where there is one; an own name may be kept */
export const refuseLookAlike = (
  rows: readonly { readonly id: string; readonly name: string }[],
  name: string,
  ownId: string | null,
): Refusal | null => {
  const skeleton = nameSkeleton(name);
  return rows.some((row) => row.id !== ownId && nameSkeleton(row.name) === skeleton)
    ? refuse('NAME_TAKEN')
    : null;
};
