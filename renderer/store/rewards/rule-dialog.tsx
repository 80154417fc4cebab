import { Select, Switch, Text, TextInput } from '@mantine/core';
import type { GameId } from '#contracts/servers/games.ts';
import {
  type RewardRule,
  type RewardRuleDraft,
  type RewardTerms,
  rewardRuleDraft,
  rewardsHttp,
} from '#contracts/store/rewards.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useChange } from '../../kit/api/queries.ts';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { NumberField } from '../../kit/forms/number-field.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { rewardsWords } from './rewards.words.ts';
import { RuleText } from './rule-text.tsx';
import { ScopeFields } from './scope-fields.tsx';

/** The rule as typed: the fields of all kinds, so that changing the kind loses nothing. */
interface RuleFields {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly kind: RewardTerms['kind'];
  readonly points: number | '';
  readonly minutes: number | '';
  readonly mostPerDay: number | '';
  readonly streakPoints: number | '';
  readonly streakDays: number | '';
  readonly games: readonly GameId[];
  readonly serverIds: readonly string[];
}

const newRule: RuleFields = {
  name: '',
  isEnabled: true,
  kind: 'interval',
  points: 10,
  minutes: 30,
  mostPerDay: '',
  streakPoints: 0,
  streakDays: 7,
  games: [],
  serverIds: [],
};

const fieldsOf = (rule: RewardRule | null): RuleFields => {
  if (!rule) return newRule;
  const { name, isEnabled, terms } = rule;
  const known = { ...newRule, name, isEnabled, kind: terms.kind, points: terms.points };
  if (terms.kind === 'daily')
    return { ...known, streakPoints: terms.streakPoints, streakDays: terms.streakDays };
  const { games, serverIds } = terms;
  if (terms.kind === 'first-visit') return { ...known, games, serverIds };
  return { ...known, games, serverIds, minutes: terms.minutes, mostPerDay: terms.mostPerDay ?? '' };
};

/** Null: something is missing or out of bounds. */
const bodyOf = (fields: RuleFields): RewardRuleDraft | null => {
  const { name, isEnabled, kind, points, games, serverIds } = fields;
  const scope = { games: [...games], serverIds: [...serverIds] };
  const terms = {
    interval: {
      kind,
      points,
      minutes: fields.minutes,
      mostPerDay: fields.mostPerDay === '' ? null : fields.mostPerDay,
      ...scope,
    },
    'first-visit': { kind, points, ...scope },
    daily: { kind, points, streakPoints: fields.streakPoints, streakDays: fields.streakDays },
  } satisfies { [Kind in RewardTerms['kind']]: Record<keyof Extract<RewardTerms, { kind: Kind }>, unknown> };
  return (
    rewardRuleDraft.safeParse({ name, isEnabled, terms: terms[kind] } satisfies Record<
      keyof RewardRuleDraft,
      unknown
    >).data ?? null
  );
};

const kinds = ['interval', 'daily', 'first-visit'] as const satisfies readonly RewardTerms['kind'][];

export const RuleDialog = (props: {
  /** Its state when the change began; null: a new one. */
  readonly begun: RewardRule | null;
  /** Its current state; undefined if another admin has removed it. */
  readonly newest: RewardRule | undefined;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, readNewest, onClose } = props;
  const words = useWords(rewardsWords).rules;
  const create = useChange(rewardsHttp.createRule, [rewardsHttp.rules]);
  const change = useChange(rewardsHttp.changeRule, [rewardsHttp.rules]);
  const form = useDraftForm({
    begun,
    newest,
    readNewest,
    draftOf: fieldsOf,
    bodyOf,
    send: (body, version) =>
      begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { ...body, version } })
        : create.mutateAsync({ body }),
    savedText: words.saved,
    onClose,
  });
  return (
    <DraftDialog
      form={form}
      words={words}
      note={begun ? words.fromNow : undefined}
      theirs={({ name, terms }) => (
        <>
          <Text>
            <bdi>{name}</bdi>
          </Text>
          <RuleText terms={terms} />
        </>
      )}
      onClose={onClose}
    >
      <Fields fields={form.draft} isNew={begun === null} onEdit={form.edit} />
    </DraftDialog>
  );
};

const Fields = (props: {
  readonly fields: RuleFields;
  readonly isNew: boolean;
  readonly onEdit: (edited: Partial<RuleFields>) => void;
}) => {
  const { fields, isNew, onEdit } = props;
  const words = useWords(rewardsWords).rules;
  const { kind } = fields;
  return (
    <>
      <Select
        label={words.kind}
        data={kinds.map((value) => ({ value, label: words.kinds[value] }))}
        value={kind}
        onChange={(chosen) => onEdit({ kind: kinds.find((one) => one === chosen) ?? kind })}
        allowDeselect={false}
        disabled={!isNew}
      />
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={fields.name}
        onChange={({ currentTarget }) => onEdit({ name: currentTarget.value })}
        maxLength={80}
        required
        autoComplete="off"
        data-autofocus
      />
      <NumberField
        label={words.points}
        value={fields.points}
        max={mostPoints}
        isRequired
        onChange={(points) => onEdit({ points })}
      />
      {kind === 'interval' && (
        <>
          <NumberField
            label={words.minutes}
            value={fields.minutes}
            min={5}
            max={1440}
            isRequired
            onChange={(minutes) => onEdit({ minutes })}
          />
          <NumberField
            label={words.mostPerDay}
            description={words.mostPerDayHelp}
            value={fields.mostPerDay}
            max={mostPoints}
            onChange={(mostPerDay) => onEdit({ mostPerDay })}
          />
        </>
      )}
      {kind === 'daily' ? (
        <>
          <NumberField
            label={words.streakPoints}
            value={fields.streakPoints}
            min={0}
            max={1_000_000}
            onChange={(streakPoints) => onEdit({ streakPoints })}
          />
          <NumberField
            label={words.streakDays}
            value={fields.streakDays}
            min={0}
            max={365}
            onChange={(streakDays) => onEdit({ streakDays })}
          />
        </>
      ) : (
        <ScopeFields scope={fields} help={words.scopeHelp} onChange={onEdit} />
      )}
      <Switch
        label={words.isEnabled}
        checked={fields.isEnabled}
        onChange={({ currentTarget }) => onEdit({ isEnabled: currentTarget.checked })}
      />
    </>
  );
};
