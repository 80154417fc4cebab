import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { gameDetails } from '#contracts/servers/game-details.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import classes from './game-mark.module.css';

/** A small icon of the game that a server runs; the game's name is next to it or in the text around it. */
export const GameMark = ({
  game,
  size = 26,
}: {
  readonly game: GameId;
  /** Pixels: 26 in a row, 36 in the header of a page. */
  readonly size?: 26 | 36;
}) => {
  const { glyph, hue } = gameDetails[game];
  const [first, percent, second] = hue;
  return (
    <svg
      className={classes.mark}
      style={
        {
          '--first': `var(--tone-${first})`,
          '--share': `${percent}%`,
          '--second': `var(--tone-${second})`,
        } as CSSProperties
      }
      width={size}
      height={size}
      viewBox="-4 -4 32 32"
      aria-hidden
      focusable="false"
    >
      <rect className={classes.ground} x={-4} y={-4} width={32} height={32} rx={8} />
      <path fill="currentColor" fillRule="evenodd" d={glyph} />
    </svg>
  );
};

/** The icon alone for the column of a list: screen readers hear its name, and hovering shows it. */
export const NamedGameMark = ({ game }: { readonly game: GameId }) => (
  <span title={games[game].name}>
    <GameMark game={game} />
    <VisuallyHidden>{games[game].name}</VisuallyHidden>
  </span>
);
