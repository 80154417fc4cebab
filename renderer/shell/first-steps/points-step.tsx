import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Member, membersHttp } from '#contracts/people/members.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberPicker } from '../../store/member-picker.tsx';
import { usePoints } from '../../store/use-points.ts';
import { firstStepsWords } from './first-steps.words.ts';
import { type StepBodyProps, stepFacts } from './onboarding-status.ts';
import { StepForm } from './step-form.tsx';

const usualPoints = 100;
const facts = stepFacts.find(({ id }) => id === 'points');

export const PointsStep = ({ status }: StepBodyProps) => {
  const { points: words, notAllowed } = useWords(firstStepsWords);
  const { points } = usePoints();
  const can = useCan();
  const { members = [] } = status;
  const rich = members.find(({ balance }) => balance > 0);
  if (facts?.state(status) === 'done')
    return (
      <Text>
        {rich ? <bdi>{words.have(rich.name, points(rich.balance))}</bdi> : words.spent}{' '}
        <PanelLink to="/members" underline="always">
          {words.to}
        </PanelLink>
      </Text>
    );
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {!can('points.write') && <Text>{notAllowed}</Text>}
      {can('points.write') && members.length === 0 && <Text>{words.none}</Text>}
      {can('points.write') && members.length > 0 && <PointsForm first={members[0] ?? null} />}
    </Stack>
  );
};

const PointsForm = ({ first }: { readonly first: Member | null }) => {
  const { points: words } = useWords(firstStepsWords);
  const [member, setMember] = useState<Member | null>(first);
  const [count, setCount] = useState<number | string>(usualPoints);
  const grant = useChange(membersHttp.grant, [membersHttp.search]);
  return (
    <StepForm
      act={words.give}
      isActing={grant.isPending}
      isReady={member !== null}
      error={grant.error}
      onSubmit={() => {
        if (member)
          grant.mutate({ params: { id: member.id }, body: { kind: 'grant', points: Number(count) } });
      }}
    >
      <MemberPicker value={member} onChange={setMember} />
      <NumberInput
        label={words.points}
        value={count}
        onChange={setCount}
        min={1}
        max={mostPoints}
        allowDecimal={false}
        allowNegative={false}
        required
      />
    </StepForm>
  );
};
