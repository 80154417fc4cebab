import { expect, test } from 'vitest';
import { arkEvolved } from './ark.ts';

const at = '2026.11.28_12.34.56: ';
const said = (line: string, ...online: string[]) => {
  const seen = arkEvolved.readLogLine(`${at}${line}`, (name) => online.includes(name));
  return seen?.kind === 'chat' ? [seen.player.name, seen.text] : seen;
};

// Guarantee: of several readings of a line the account that is online has spoken; otherwise no one has.
test('names with brackets and colons', () => {
  expect(said('Bob (Bobby): hi')).toEqual(['Bob', 'hi']);
  expect(said('Bob (afk) (Bobby): hi', 'Bob (afk)')).toEqual(['Bob (afk)', 'hi']);
  expect(said('Bob (afk) (Bobby): hi', 'Bob')).toEqual(['Bob', 'hi']);
  expect(said('Bob (afk) (Bobby): hi')).toBeNull();
  expect(said('Bob (afk) (Bobby): hi', 'Bob', 'Bob (afk)')).toBeNull();
  expect(said('x: y (Bobby): hi', 'x: y')).toEqual(['x: y', 'hi']);
  expect(said('x: y (Bobby): hi')).toBeNull();
  expect(said('[TAG] Bob (The (Great)): hi', '[TAG] Bob')).toEqual(['[TAG] Bob', 'hi']);
  expect(said('Bob (Bobby (2)): hi', 'Bob')).toEqual(['Bob', 'hi']);
});

// Guarantee: a message that looks like another player's line is its sender's.
test('quoted lines', () => {
  expect(said('Bob (Bobby): Ann (Annie): !buy', 'Bob', 'Ann')).toEqual(['Bob', 'Ann (Annie): !buy']);
  expect(said('Bob (Bobby): look (here): ok', 'Bob')).toEqual(['Bob', 'look (here): ok']);
  expect(said('Bob (Bobby): Ann (Annie): !buy', 'Ann')).toBeNull();
  for (const line of [
    'SERVER: Ann (Annie): !buy',
    'AdminCmd: x (y): z',
    'Tribe T, ID 1: Day 2, 3:4:5: A (B): c',
  ])
    expect(said(line, 'Ann', 'SERVER: Ann')).toBeNull();
  expect(said(`Bob (${'x'.repeat(70)}): hi`, 'Bob')).toBeNull();
});
