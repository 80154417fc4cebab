import type { ReactNode } from 'react';
import { Card } from '../../kit/design/card.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { peopleWords } from './people.words.ts';
import classes from './wallet-facts.module.css';

/** A person's points, in prominent figures. */
export const WalletFacts = ({
  balance,
  note,
}: {
  /** Null: not known yet. */
  readonly balance: number | null;
  /** A line below it. */
  readonly note?: ReactNode;
}) => {
  const words = useWords(peopleWords);
  const format = useFormat();
  return (
    <Card title={words.wallet}>
      <div>
        <div className={classes.balance}>
          {balance !== null && (
            <>
              {format.number(balance)} <span className={classes.unit}>{words.points(balance)}</span>
            </>
          )}
        </div>
        {note !== undefined && <div className={classes.note}>{note}</div>}
      </div>
    </Card>
  );
};
