import { Button, Code, Group, Text } from '@mantine/core';
import { games } from '#contracts/servers/games.ts';
import type { ListedShop } from '#contracts/storefronts/shops.ts';
import { isLocalAddress } from '../../kit/api/own-address.ts';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { addressWords } from '../../operations/address.words.ts';
import { shopGuideWords } from './shop-guide.words.ts';
import { shopsWords } from './shops.words.ts';

export type OpenedDialog = 'fields' | 'products' | 'secrets' | 'remove' | 'guide';

/** One shop: whether it can report, its address for reports, and what it sells. */
export const ShopCard = (props: {
  readonly shop: ListedShop;
  readonly mayChange: boolean;
  readonly onOpen: (dialog: OpenedDialog) => void;
}) => {
  const { shop, mayChange, onOpen } = props;
  const words = useWords(shopsWords);
  const {
    name,
    kind,
    game,
    path,
    lastEvent,
    products,
    secrets,
    waiting,
    conflicts,
    unknownRefunds,
    unread,
    hasOrders,
  } = shop;
  const guide = useWords(shopGuideWords);
  const addresses = useWords(addressWords);
  const own = usePublicAddress();
  const isUnreachable = own === '' || isLocalAddress(own);
  const address = own === '' ? null : `${own}${path}`;
  return (
    <Card title={words.shop(name)} actions={<ShopState shop={shop} />}>
      <Text size="sm" c="dimmed">
        {[
          words.kinds[kind],
          games[game].name,
          words.products(products.length),
          words.secrets(secrets.length),
        ].join(' · ')}
      </Text>
      <Text size="sm" component="div">
        {words.address}:{' '}
        {address === null ? (
          words.below(path)
        ) : (
          <Group gap={4} component="span" display="inline-flex">
            <Code>{address}</Code>
            <CopyButton value={address} label={words.copyAddress(name)} />
          </Group>
        )}
      </Text>
      {isUnreachable && (
        <Text size="sm" component="div">
          <StateLabel tone="warn">{guide.notPublic}</StateLabel>{' '}
          <PanelLink to="/settings/general">{addresses.set}</PanelLink>
        </Text>
      )}
      <Text size="sm" component="div">
        {words.lastEvent}:{' '}
        {lastEvent ? (
          <>
            <bdi>{lastEvent.type}</bdi>, <TimeAgo at={lastEvent.at} />
          </>
        ) : (
          words.never
        )}
      </Text>
      {shop.refusals.map(({ kind: why, at, field }) => (
        <Text key={why} size="sm" component="div">
          {words.lastRefused} <TimeAgo at={at} />:{' '}
          {field === null ? words.refusals[why] : <bdi>{words.shapeOf(field)}</bdi>}
        </Text>
      ))}
      {waiting > 0 && <Text size="sm">{words.waiting(waiting)}</Text>}
      {conflicts > 0 && <Text size="sm">{words.conflicts(conflicts)}</Text>}
      {unread.length > 0 && (
        <Text size="sm" c="dimmed" component="div">
          {words.unread}:{' '}
          <bdi>{unread.map(({ type, count }) => (count === 1 ? type : `${type} × ${count}`)).join(', ')}</bdi>
        </Text>
      )}
      {unknownRefunds > 0 && <Text size="sm">{words.unknownRefunds(unknownRefunds)}</Text>}
      {mayChange && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onOpen('guide')}>
            {guide.open}
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen('products')}>
            {words.editProducts}
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen('secrets')}>
            {words.editSecrets}
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen('fields')}>
            {words.edit}
          </Button>
          {(!hasOrders || shop.isEnabled) && (
            <Button size="xs" variant="default" onClick={() => onOpen('remove')}>
              {hasOrders ? words.switchOff : words.delete}
            </Button>
          )}
        </Group>
      )}
    </Card>
  );
};

const ShopState = ({ shop }: { readonly shop: ListedShop }) => {
  const words = useWords(shopsWords);
  const { states } = useWords(shopGuideWords);
  const { isEnabled, secrets, lastEvent, refusals } = shop;
  if (!isEnabled) return <StateLabel tone="idle">{words.off}</StateLabel>;
  if (secrets.length === 0) return <StateLabel tone="warn">{words.noSecret}</StateLabel>;
  if (secrets.every(({ fault }) => fault !== null))
    return <StateLabel tone="bad">{words.unreadable}</StateLabel>;
  const [refused] = refusals;
  // Anyone can send an unsigned event to a known address: once the shop's own have arrived, that is no state of the shop.
  if (refused && lastEvent === null && refused.kind === 'signature')
    return <StateLabel tone="bad">{states.signature}</StateLabel>;
  if (refused && refused.kind !== 'signature' && (lastEvent === null || lastEvent.at < refused.at))
    return <StateLabel tone="bad">{states.refused}</StateLabel>;
  if (lastEvent === null) return <StateLabel tone="warn">{states.never}</StateLabel>;
  return (
    <StateLabel tone="ok">
      {states.receiving}, <TimeAgo at={lastEvent.at} />
    </StateLabel>
  );
};
