import { Checkbox, Group, List, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '#contracts/people/members.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import type { Product } from '#contracts/store/store.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useLivePlayers } from '../../servers/use-live-players.ts';
import { MemberPicker } from '../../store/member-picker.tsx';
import { DeliveryLabel } from '../../store/store-parts/delivery-label.tsx';
import { usePlaceOrder } from '../../store/store-parts/use-place-order.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';
import { StepForm } from './step-form.tsx';

export const DeliveryStep = ({ status }: StepBodyProps) => {
  const { delivery: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  const { places } = useLivePlayers();
  const { products = [], members = [], deliveries = [], delivered } = status;
  if (delivered)
    return (
      <Stack gap="xs">
        <Text fw={600}>{words.arrived}</Text>
        <DeliveryLine delivery={delivered} />
        <PanelLink to="/deliveries">{words.to}</PanelLink>
      </Stack>
    );
  const mayOrder = can('orders.write');
  // A player on a server gets it immediately.
  const isOfGame = ({ players }: Member) => players.some(({ game }) => game === products[0]?.game);
  const here =
    members.find((member) => isOfGame(member) && member.players.some(({ id }) => places.has(id))) ??
    members.find(isOfGame) ??
    members[0];
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {!mayOrder && <Text>{notAllowed}</Text>}
      {mayOrder && products.length === 0 && <Text>{words.none}</Text>}
      {mayOrder && products.length > 0 && !here && <Text>{words.noMember}</Text>}
      {mayOrder && products.length > 0 && here && <OrderForm products={products} first={here} />}
      {deliveries.length > 0 && (
        <div role="status">
          <Text fw={600}>{words.newest}</Text>
          <List listStyleType="none">
            {deliveries.map((delivery) => (
              <List.Item key={delivery.id}>
                <DeliveryLine delivery={delivery} />
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
};

const DeliveryLine = ({ delivery }: { readonly delivery: Delivery }) => {
  const { delivery: words } = useWords(firstStepsWords);
  const { id, productName, memberName } = delivery;
  return (
    <Group gap="xs">
      <DeliveryLabel delivery={delivery} />
      <PanelLink to={`/deliveries/${id}`} underline="always">
        <bdi>{words.forMember(productName, memberName)}</bdi>
      </PanelLink>
    </Group>
  );
};

const OrderForm = ({
  products,
  first,
}: {
  readonly products: readonly Product[];
  readonly first: Member;
}) => {
  const { delivery: words } = useWords(firstStepsWords);
  const can = useCan();
  /** Null: the default, until another is chosen. */
  const [chosen, setChosen] = useState<Member | null>(null);
  const [wantedId, setWantedId] = useState<string | null>(null);
  const [isTest, setIsTest] = useState(false);
  const { place, isPlacing, error } = usePlaceOrder();
  const member = chosen ?? first;
  const product = products.find(({ id }) => id === wantedId) ?? products[0];
  return (
    <StepForm
      act={words.order}
      isActing={isPlacing}
      error={error}
      onSubmit={() => {
        if (product)
          void place({ memberId: member.id, lines: [{ productId: product.id, quantity: 1 }], isTest });
      }}
    >
      <Select
        label={words.product}
        data={products.map(({ id, name }) => ({ value: id, label: name }))}
        value={product?.id ?? null}
        onChange={setWantedId}
        allowDeselect={false}
      />
      <MemberPicker
        label={words.member}
        value={member}
        onChange={setChosen}
        {...(product && { game: product.game })}
      />
      {can('store.write') && (
        <Checkbox
          label={words.test}
          checked={isTest}
          onChange={({ currentTarget }) => setIsTest(currentTarget.checked)}
        />
      )}
    </StepForm>
  );
};
