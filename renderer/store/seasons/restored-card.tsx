import { Button, Checkbox, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SeasonPreview } from '#contracts/store/seasons.ts';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { seasonsWords } from './seasons.words.ts';

const tallest = '16rem';

/** Which products members get back after a wipe; a change is saved with the products. */
export const RestoredCard = ({
  products,
  onChanged,
}: {
  readonly products: SeasonPreview['products'];
  readonly onChanged: () => Promise<unknown>;
}) => {
  const words = useWords(seasonsWords);
  const mayChange = useCan()('store.write');
  const change = useChange(storeHttp.onWipe, [storeHttp.products, storeHttp.read]);
  /** What was just asked for, until a new preview says whether it is so. */
  const [asked, setAsked] = useState<{ ids: readonly string[]; onWipe: Product['onWipe'] } | null>(null);
  const set = (ids: readonly string[], onWipe: Product['onWipe']) => {
    setAsked({ ids, onWipe });
    change.mutate(
      { body: { ids: [...ids], onWipe } },
      { onSettled: () => void onChanged().finally(() => setAsked(null)) },
    );
  };
  const left = products.filter(({ isRestored }) => !isRestored).map(({ productId }) => productId);
  const isFixed = !mayChange || asked !== null;
  return (
    <Card title={words.restored}>
      <Text size="sm" c="dimmed">
        {products.length === 0 ? words.noProducts : words.restoredHelp}
      </Text>
      {products.length > 0 && (
        <>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {words.restoredCount(products.length - left.length, products.length)}
            </Text>
            {mayChange && (
              <Button
                variant="default"
                size="xs"
                loading={asked !== null}
                disabled={left.length === 0}
                onClick={() => set(left, 'regrant')}
              >
                {words.restoreAll}
              </Button>
            )}
          </Group>
          <ScrollArea.Autosize mah={tallest} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack gap="xs" component="fieldset" aria-label={words.restored} bd={0} p={0} m={0}>
              {products.map(({ productId, name, isRestored }) => (
                <Checkbox
                  key={productId}
                  checked={asked?.ids.includes(productId) ? asked.onWipe === 'regrant' : isRestored}
                  disabled={isFixed}
                  onChange={({ currentTarget }) =>
                    set([productId], currentTarget.checked ? 'regrant' : 'nothing')
                  }
                  label={<bdi>{name}</bdi>}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
          {!mayChange && (
            <Text size="sm" c="dimmed">
              {words.restoredReadOnly}
            </Text>
          )}
          {change.error && <Trouble error={change.error} />}
        </>
      )}
    </Card>
  );
};
