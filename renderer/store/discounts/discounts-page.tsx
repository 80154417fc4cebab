import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Discount, discountsHttp } from '#contracts/store/discounts.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, usePagedRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useServerNow } from '../../kit/design/use-server-now.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { useProductNames } from '../store-parts/use-product-names.ts';
import { usePoints } from '../use-points.ts';
import { DiscountDialog } from './discount-dialog.tsx';
import { type DiscountState, discountState } from './discount-state.ts';
import { discountsWords } from './discounts.words.ts';

const pageSize = 50;
const tones: Readonly<Record<DiscountState, Tone>> = { on: 'ok', off: 'idle', notYet: 'idle', over: 'idle' };

export const Page = () => {
  const words = useWords(discountsWords);
  const mayChange = useCan()('store.write');
  const discounts = usePagedRead(
    discountsHttp.list,
    { query: { limit: pageSize } },
    { everyMs: pollMs.usual },
  );
  const [edited, setEdited] = useState<Discount | 'new' | null>(null);
  const { rows, isPending, error, hasMore, isLoadingMore, loadMore, reload } = discounts;
  const begun = edited === 'new' ? null : edited;
  const add = mayChange && <AddButton onClick={() => setEdited('new')}>{words.add}</AddButton>;
  return (
    <Frame title={words.title} description={words.description} actions={rows.length > 0 && add}>
      {error && rows.length === 0 && <Trouble error={error} onRetry={reload} />}
      {isPending && !error && <Loading />}
      <Stack gap="xl">
        {!isPending && !error && rows.length === 0 && (
          <EmptyState text={words.none} action={add} example="items" />
        )}
        {rows.map((one) => (
          <DiscountCard key={one.id} discount={one} mayChange={mayChange} onEdit={() => setEdited(one)} />
        ))}
        {hasMore && (
          <Group>
            <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
              {words.more}
            </Button>
          </Group>
        )}
      </Stack>
      {edited !== null && (
        <DiscountDialog
          key={begun?.id ?? 'new'}
          begun={begun}
          newest={rows.find(({ id }) => id === begun?.id)}
          readNewest={async () => reload()}
          onClose={() => setEdited(null)}
        />
      )}
    </Frame>
  );
};

const DiscountCard = (props: {
  readonly discount: Discount;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) => {
  const { discount, mayChange, onEdit } = props;
  const words = useWords(discountsWords);
  const format = useFormat();
  const { points } = usePoints();
  const { nameOf } = useProductNames();
  const remove = useChange(discountsHttp.remove, [discountsHttp.list]);
  const [isRemoving, setIsRemoving] = useState(false);
  const { name, off, code, hasCode, productIds, categories, roleIds, uses, mostUses } = discount;
  const { validFrom, validUntil } = discount;
  const state = discountState(discount, useServerNow());
  const covered = [...productIds.map(nameOf), ...categories];
  const parts = [
    covered.length === 0 ? words.everything : covered.join(', '),
    roleIds.length === 0 ? words.everyone : words.someRoles(roleIds.length),
    hasCode ? `${words.code} ${code ?? words.hiddenCode}` : words.byItself,
  ];
  const used =
    mostUses === null ? format.number(uses) : words.usesOf(format.number(uses), format.number(mostUses));
  return (
    <Card title={name} actions={<StateLabel tone={tones[state]}>{words[state]}</StateLabel>}>
      <div>
        <Text size="lg" fw={600}>
          {off.kind === 'percent' ? words.percentOff(off.percent) : words.eachPiece(points(off.points))}
        </Text>
        <Text size="sm">
          <bdi>{parts.join(' · ')}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {words.uses}: {used}
          {validFrom !== null && (
            <>
              {' · '}
              {words.from} <Moment at={validFrom} isShort />
            </>
          )}
          {validUntil !== null && (
            <>
              {' · '}
              {words.until} <Moment at={validUntil} isShort />
            </>
          )}
        </Text>
      </div>
      {mayChange && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onEdit} aria-label={`${words.edit}: ${name}`}>
            {words.edit}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => setIsRemoving(true)}
            aria-label={`${words.remove}: ${name}`}
          >
            {words.remove}
          </Button>
        </Group>
      )}
      {isRemoving && (
        <ConfirmAction
          title={words.removeTitle(name)}
          act={words.remove}
          onAction={() => remove.mutateAsync({ params: { id: discount.id } })}
          doneText={words.removed}
          onClose={() => setIsRemoving(false)}
        >
          <Text>{words.removeText}</Text>
        </ConfirmAction>
      )}
    </Card>
  );
};
