import { nameKey } from '../kernel/access/name-key.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';

type Prototypes = ReadonlyMap<string, string>;

/** @param lines pairs of a letter and the Latin one that it looks like */
const prototypesOf = (lines: readonly string[]): Prototypes =>
  new Map(lines.flatMap((line) => line.split(' ')).map((pair) => [...pair] as [string, string]));

/**
 * Letters that look like a Latin one, each before it: what Unicode's confusables.txt (UTS 39, version 17.0.0) lists for
 * the scripts whose whole words can pass for Latin, as far as one letter maps to one. A name is compared in lower case,
 * so capitals that look like a small letter are listed here by their own small form. Cyrillic, Greek, Armenian,
 * Cherokee and Lisu.
 */
const small = prototypesOf([
  'аa ѵv еe ҽe оo рp сc уy үy хx ѕs іi ꙇi јj ԛq ԝw ѡw шw һh ԁd ӏl гr ьb',
  'αa γy ιi νv οo ρp ϸp σo υu ϳj ᴦr',
  'օo սu հh ոn ռn ցg զq գq քf ւi աw',
  'ꮟb ꮯc ꮷd ꮒh ꭵi ꮁr ꮪs ꮩv ꮃw ꮓz',
  'ꓒd',
  // Unicode compares these with small capitals, with other relatives of the Latin letter, or not at all.
  'кk мm тt вb нh пn ёë їï κk τt χx ηn βb εe ωw յj',
]);
/** Capitals. Many look like a different letter than their small forms do. */
const capital = prototypesOf([
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ҮY ХX ЅS ІI ЈJ ԌG ԜW ѴV ӀI',
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ϺM ΝN ΟO ΡP ΤT ΥY ΧX ͿJ ϜF',
  'ՍU ՏS ՕO',
  'ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᏳG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏒR ᏚS ᏕS ᎢT ᏙV ᎳW ᏔW ᎩY ᎽY ᏃZ',
  'ꓮA ꓐB ꓚC ꓓD ꓰE ꓝF ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ',
  // Decomposed in Unicode's list; and two that Unicode does not have.
  'ЁË ЇÏ ԚQ ԼL',
]);

/** The Latin letter that a small letter looks like; any other character stays unchanged. */
export const latinLookAlike = (letter: string): string => small.get(letter) ?? letter;

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

/** @param ownId whose name it will be, if they exist already; they may keep their own name, even one that looks like another's */
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
