import { List, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type GameId, gameId, games } from '#contracts/servers/games.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ItemField, useItems } from '../../store/store-parts/item-field.tsx';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';
import { StepForm } from './step-form.tsx';

/** The number of products named. */
const few = 3;

export const ProductStep = ({ status: { products = [], servers = [] } }: StepBodyProps) => {
  const { product: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  if (products.length > 0)
    return (
      <Stack gap="xs">
        <Text>{words.have}</Text>
        <List>
          {products.slice(0, few).map(({ id, name, game }) => (
            <List.Item key={id}>
              <bdi>{name}</bdi>, {games[game].name}
            </List.Item>
          ))}
        </List>
        <PanelLink to="/store">{words.to}</PanelLink>
      </Stack>
    );
  const ofServers = [...new Set(servers.map(({ game }) => game))].filter((game) => games[game].hasItems);
  const [first] = ofServers;
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {!can('store.write') && <Text>{notAllowed}</Text>}
      {can('store.write') && !first && servers.length === 0 && <Text>{words.none}</Text>}
      {can('store.write') && !first && servers.length > 0 && (
        <>
          <Text>{words.noItems}</Text>
          <PanelLink to="/store">{words.to}</PanelLink>
        </>
      )}
      {can('store.write') && first && <ProductForm gamesThere={ofServers} first={first} />}
    </Stack>
  );
};

const usualPrice = 10;

const ProductForm = ({
  gamesThere,
  first,
}: {
  readonly gamesThere: readonly GameId[];
  readonly first: GameId;
}) => {
  const { product: words } = useWords(firstStepsWords);
  const [name, setName] = useState('');
  const [game, setGame] = useState<GameId>(first);
  const [item, setItem] = useState('');
  const [quantity, setQuantity] = useState<number | string>(1);
  const [price, setPrice] = useState<number | string>(usualPrice);
  const { rows: items } = useItems(game, item);
  const create = useChange(storeHttp.create, [storeHttp.products]);
  const send = () =>
    create.mutate({
      body: {
        name,
        game,
        price: Number(price),
        isEnabled: true,
        lines: [{ kind: 'item', item, quantity: Number(quantity) }],
      },
    });
  return (
    <StepForm act={words.create} isActing={create.isPending} error={create.error} onSubmit={send}>
      <TextInput
        label={words.name}
        placeholder={words.example}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={80}
      />
      {gamesThere.length > 1 && (
        <Select
          label={words.game}
          data={gamesThere.map((id) => ({ value: id, label: games[id].name }))}
          value={game}
          onChange={(value) => {
            setGame(gameId.catch(game).parse(value));
            setItem('');
          }}
          allowDeselect={false}
        />
      )}
      <ItemField
        label={words.item}
        description={words.itemHelp}
        items={items}
        value={item}
        onChange={setItem}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={words.quantity}
          value={quantity}
          onChange={setQuantity}
          min={1}
          max={100_000}
          allowDecimal={false}
          allowNegative={false}
          required
        />
        <NumberInput
          label={words.price}
          value={price}
          onChange={setPrice}
          min={0}
          max={mostPoints}
          allowDecimal={false}
          allowNegative={false}
          required
        />
      </SimpleGrid>
    </StepForm>
  );
};
