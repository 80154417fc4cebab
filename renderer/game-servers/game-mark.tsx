import { VisuallyHidden } from '@mantine/core';
import { type GameId, games } from '#contracts/games.ts';
import classes from './game-mark.module.css';

/** Drawn for Castellan in a square of 24 by 24: a footprint, an obelisk, a gravestone, a cube, an egg. None is a game's own logo. */
const glyphs: Readonly<Record<GameId, string>> = {
  'ark-se':
    'M12 2.5c1.3 0 2.1 2.2 2.1 5S13.3 13 12 13s-2.1-2.7-2.1-5.5.8-5 2.1-5ZM5.2 6.6c1.2-.7 2.8.7 4 2.9s1.5 4.2.4 4.8-2.7-.6-3.9-2.7-1.7-4.3-.5-5ZM18.8 6.6c1.2.7.7 2.9-.5 5s-2.8 3.4-3.9 2.7-.8-2.6.4-4.8 2.8-3.6 4-2.9ZM12 14c2.6 0 4.2 1.9 4.2 4s-1.7 3.5-4.2 3.5S7.8 20.1 7.8 18s1.6-4 4.2-4Z',
  'ark-asa': 'M12 1.5 16.5 7 15 18H9L7.5 7ZM5 19.5h14V22H5Z',
  'seven-days-to-die':
    'M6.5 18.5V9.5a5.5 5.5 0 0 1 11 0v9ZM9 9.2v1.6h6V9.2ZM9 12.7v1.6h6v-1.6ZM3.5 20h17v2h-17Z',
  minecraft: 'M12 2 20.2 6.5 12 11 3.8 6.5ZM3 8.2l8.2 4.5v9L3 17.2ZM21 8.2l-8.2 4.5v9L21 17.2Z',
  palworld:
    'M12 2c4 0 7.5 6.6 7.5 11.6a7.5 7.5 0 0 1-15 0C4.5 8.6 8 2 12 2ZM10 7.5a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4ZM14.6 12.4a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2Z',
};

export interface GameMarkProps {
  readonly game: GameId;
  /** Pixels: 26 in a row, 36 in the header of a page. */
  readonly size?: 26 | 36;
}

/** A small icon of the game that a server runs; the game's name is next to it or in the text around it. */
export const GameMark = ({ game, size = 26 }: GameMarkProps) => (
  <svg
    className={classes.mark}
    data-game={game}
    width={size}
    height={size}
    viewBox="-4 -4 32 32"
    aria-hidden
    focusable="false"
  >
    <rect className={classes.ground} x={-4} y={-4} width={32} height={32} rx={8} />
    <path fill="currentColor" fillRule="evenodd" d={glyphs[game]} />
  </svg>
);

/** The icon alone for the column of a list: screen readers hear its name, and hovering shows it. */
export const NamedGameMark = ({ game }: Pick<GameMarkProps, 'game'>) => (
  <span title={games[game].name}>
    <GameMark game={game} />
    <VisuallyHidden>{games[game].name}</VisuallyHidden>
  </span>
);
