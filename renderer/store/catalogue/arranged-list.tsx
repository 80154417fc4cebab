import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Product } from '#contracts/store/store.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { ProductPicture } from '../store-parts/product-picture.tsx';
import classes from './arranged-list.module.css';
import { catalogueWords } from './catalogue.words.ts';
import { movedRow, placeAt, placeByArrow } from './moved-row.ts';

/** A row that is being moved, by a pointer or by keys. */
interface Lifted {
  readonly id: string;
  readonly by: 'pointer' | 'keys';
  /** The rows before the move. */
  readonly before: readonly Product[];
}

/** Rows to be put in order; each move is announced to screen readers. */
export const ArrangedList = (props: {
  readonly label: string;
  readonly products: readonly Product[];
  readonly isSaving: boolean;
  /** Rejects if the order was not accepted. */
  readonly onArranged: (ids: readonly string[]) => Promise<unknown>;
}) => {
  const { label, products, isSaving, onArranged } = props;
  const words = useWords(catalogueWords);
  const format = useFormat();
  const [rows, setRows] = useState(products);
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  // New data from the API is shown, but never under a row that is being moved; a row that was just dropped stays until then.
  const newest = useRef(products);
  useEffect(() => {
    if (lifted !== null || isSaving || newest.current === products) return;
    newest.current = products;
    setRows(products);
  }, [products, lifted, isSaving]);

  const count = format.number(rows.length);
  const placeOf = (id: string) => rows.findIndex((row) => row.id === id);
  const place = (at: number) => format.number(at + 1);

  const lift = (product: Product, by: Lifted['by']) => {
    setLifted({ id: product.id, by, before: rows });
    setSaid(words.lifted(product.name, place(placeOf(product.id)), count));
  };
  const moveTo = ({ id, name }: Product, to: number) => {
    const from = placeOf(id);
    if (from === to) return;
    setRows(movedRow(rows, from, to));
    setSaid(words.movedTo(name, place(to), count));
  };
  const drop = ({ id, name }: Product) => {
    if (!lifted) return;
    setLifted(null);
    setSaid(words.dropped(name, place(placeOf(id))));
    const { before } = lifted;
    if (rows.every((row, at) => row.id === before[at]?.id)) return;
    onArranged(rows.map((row) => row.id)).catch(() => setRows(before));
  };
  const cancel = ({ name }: Product) => {
    if (!lifted) return;
    setRows(lifted.before);
    setLifted(null);
    setSaid(words.cancelled(name));
  };

  const onKey = (product: Product, event: KeyboardEvent) => {
    const isLifted = lifted?.id === product.id;
    if (event.key === ' ' || (event.key === 'Enter' && isLifted)) {
      event.preventDefault();
      if (isLifted) drop(product);
      else if (!isSaving) lift(product, 'keys');
      return;
    }
    if (!isLifted) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      cancel(product);
      return;
    }
    const to = placeByArrow(event.key, placeOf(product.id), rows.length);
    if (to === null) return;
    event.preventDefault();
    moveTo(product, to);
  };
  const onPointerMove = (product: Product, { clientY }: PointerEvent) => {
    if (lifted?.by !== 'pointer' || lifted.id !== product.id || !list.current) return;
    const centres = [...list.current.children].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2;
    });
    moveTo(product, placeAt(centres, clientY, placeOf(product.id)));
  };

  return (
    <>
      <ul ref={list} className={classes.list} aria-label={label}>
        {rows.map((product) => (
          <li key={product.id} className={classes.row} data-lifted={lifted?.id === product.id || undefined}>
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.handle}
              aria-label={words.move(product.name)}
              aria-pressed={lifted?.id === product.id}
              onKeyDown={(event) => onKey(product, event)}
              onBlur={() => {
                if (lifted?.by === 'keys' && lifted.id === product.id) cancel(product);
              }}
              onPointerDown={(event) => {
                if (event.button !== 0 || isSaving) return;
                event.currentTarget.setPointerCapture(event.pointerId);
                lift(product, 'pointer');
              }}
              onPointerMove={(event) => onPointerMove(product, event)}
              onPointerUp={() => lifted?.by === 'pointer' && drop(product)}
              onPointerCancel={() => lifted?.by === 'pointer' && cancel(product)}
            >
              <IconGripVertical size={16} aria-hidden />
            </ActionIcon>
            <ProductPicture key={product.picture?.sha256} product={product} />
            <bdi>{product.name}</bdi>
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status" aria-live="assertive">
        {said}
      </VisuallyHidden>
    </>
  );
};
