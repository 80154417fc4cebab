import { type Refusal, refuse } from '../http/refusal.ts';
import { nameKey } from './name-key.ts';

type Prototypes = ReadonlyMap<string, string>;

/** @param lines pairs of a letter and the Latin one that it looks like */
const prototypesOf = (lines: readonly string[]): Prototypes =>
  new Map(lines.flatMap((line) => line.split(' ')).map((pair) => [...pair] as [string, string]));

/**
 * Letters that look like a Latin one, each before it: what Unicode's confusables.txt (TR39) has for the scripts whose whole
 * words can pass for Latin. Small letters are of Cyrillic, Greek and Armenian.
 */
const small = prototypesOf([
  'аa ѵv еe ёë кk мm оo рp сc тt уy хx ѕs іi їï јj ԛq ԝw һh ԁd ӏl гr пn вb нh',
  'αa γy ιi κk νv οo ρp σo τt υu χx ηn βb εe ωw',
  'օo սu հh ոn ցg զq յj',
]);
/** Capitals are of Cyrillic, Greek, Armenian, Cherokee and Lisu. Many look like another letter than their small ones do. */
const capital = prototypesOf([
  'АA ВB ЕE ЁË КK МM НH ОO РP СC ТT УY ҮY ХX ЅS ІI ЇÏ ЈJ ԌG ԚQ ԜW ѴV ӀI',
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ͿJ ϜF',
  'ՍU ՏS ՕO ԼL',
  'ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᏳG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏒR ᏚS ᏕS ᎢT ᏙV ᎳW ᏔW ᎩY ᏃZ',
  'ꓮA ꓐB ꓚC ꓓD ꓰE ꓝF ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ',
]);

/** What a name looks like: names with the same skeleton cannot be told apart. It is compared, never kept or shown. */
const skeletonOf = (name: string, prototypes: Prototypes): string =>
  [...name].map((character) => prototypes.get(character) ?? character).join('');

const looksLike = (one: string, other: string): boolean => {
  const [key, otherKey] = [nameKey(one), nameKey(other)];
  return (
    skeletonOf(key, small) === skeletonOf(otherKey, small) ||
    skeletonOf(key.toUpperCase(), capital) === skeletonOf(otherKey.toUpperCase(), capital)
  );
};

/** @param ownId whose name it is to be, where there is one; an own name may be kept, also one that looks like another's */
export const refuseLookAlike = (
  rows: readonly { readonly id: string; readonly name: string }[],
  name: string,
  ownId: string | null,
): Refusal | null => {
  const isOwn = rows.some((row) => row.id === ownId && nameKey(row.name) === nameKey(name));
  return !isOwn && rows.some((row) => row.id !== ownId && looksLike(row.name, name))
    ? refuse('NAME_TAKEN')
    : null;
};
