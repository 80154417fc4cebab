import type { Language } from '#contracts/kernel/language.ts';
import { Problem } from '#runtime/problem.ts';
import type { SigningKeyRow } from '../../database/rows.ts';
import { portalFormat } from '../../language/portal-format.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Facts, Moment, Notice, Section, Table } from '../../pages/display.tsx';
import { ErrorSummary, type FieldError, Form } from '../../pages/form.tsx';
import type { PageAnswer, PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminNotice, AdminPage, adminRoot, CancelLink, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { keysWords } from './keys.words.ts';

const path = `${adminRoot}/keys`;

const tones = { retire: 'primary', strike: 'danger' } as const;
type Step = keyof typeof tones;
const isStep = (name: string): name is Step => Object.hasOwn(tones, name);

const mayTake = (step: Step, key: SigningKeyRow): boolean =>
  step === 'retire' ? key.state === 'retiring' : key.struck_at === null;

export const bindKeysPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { signingKeys } = area;
  const listPage = async (
    vendor: Vendor,
    notice: unknown,
    errors: readonly FieldError[] = [],
  ): Promise<PageAnswer> => ({
    status: errors.length > 0 ? 409 : 200,
    page: <KeysPage vendor={vendor} keys={await signingKeys.list()} notice={notice} errors={errors} />,
  });
  const refuse = (vendor: Vendor, message: string) => listPage(vendor, null, [{ field: null, message }]);
  const keyOf = async (kid: unknown): Promise<SigningKeyRow> => {
    const key = (await signingKeys.list()).find((known) => known.kid === kid);
    if (!key) throw new Problem('NOT_FOUND');
    return key;
  };
  const tooEarly = (readyAt: Date, language: Language): string =>
    keysWords[language].tooEarly(portalFormat[language].moment(readyAt));

  routes.get(
    '/keys',
    browser.signedIn(({ request }, vendor) => listPage(vendor, request.query.notice)),
  );
  routes.post(
    '/keys/rotate',
    browser.signedIn(async ({ form, language }, vendor) => {
      // The key that the page showed as active: the same form sent twice rotates once.
      const rotation = await signingKeys.rotate({ activeKid: form.get('active') ?? '' });
      if (rotation.outcome === 'rotated-meanwhile')
        return { redirect: withNotice(path, 'rotated-meanwhile') };
      if (rotation.outcome === 'too-early') return refuse(vendor, tooEarly(rotation.readyAt, language));
      if (rotation.outcome === 'prepared') return { redirect: withNotice(path, 'key-prepared') };
      await area.record({ kind: 'keys_rotated', by: vendor.name, subject: rotation.activeKid });
      return { redirect: withNotice(path, 'keys-rotated') };
    }),
    path,
  );

  routes.get(
    '/keys/:kid/:step',
    browser.signedIn(async ({ request }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      return { page: <StepPage vendor={vendor} signingKey={await keyOf(request.params.kid)} step={step} /> };
    }),
  );
  routes.post(
    '/keys/:kid/:step',
    browser.signedIn(async ({ request, language }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      const { kid } = await keyOf(request.params.kid);
      const done = step === 'retire' ? await signingKeys.retire(kid) : await signingKeys.revoke([kid]);
      if (done.outcome === 'refused') return refuse(vendor, keysWords[language].stale);
      const kind = step === 'retire' ? 'key_retired' : 'keys_struck';
      await area.record({ kind, by: vendor.name, subject: kid });
      return { redirect: withNotice(path, step === 'retire' ? 'key-retired' : 'key-struck') };
    }),
  );
};

const KeysPage = ({
  vendor,
  keys,
  notice,
  errors,
}: {
  readonly vendor: Vendor;
  readonly keys: readonly SigningKeyRow[];
  readonly notice: unknown;
  readonly errors: readonly FieldError[];
}) => {
  const words = useWords(keysWords);
  const { none } = useWords(adminWords);
  return (
    <AdminPage title={words.title} vendor={vendor} place="keys" hasErrors={errors.length > 0}>
      <AdminNotice code={notice} />
      <ErrorSummary errors={errors} />
      <Table
        caption={words.caption}
        hideCaption
        head={Object.values(words.head)}
        figures={[words.head.number]}
        empty={words.empty}
        rows={keys.map((key) => ({
          key: key.kid,
          cells: [
            key.sequence,
            <code key="kid" className="unbroken">
              {key.kid}
            </code>,
            <StateBadge key="state" signingKey={key} />,
            <Moment key="made" at={key.created_at} />,
            key.activated_at ? <Moment key="active" at={key.activated_at} /> : none,
            <span key="steps" className="row">
              {(Object.keys(tones) as Step[])
                .filter((step) => mayTake(step, key))
                .map((step) => (
                  <a key={step} href={`${path}/${key.kid}/${step}`}>
                    {words.steps[step].label}{' '}
                    <span className="hidden-visually">{words.named(key.sequence)}</span>
                  </a>
                ))}
            </span>,
          ],
        }))}
      />
      <Section title={words.rotate}>
        <p>{words.rotateMeaning}</p>
        <Form
          action={`${path}/rotate`}
          csrf={csrfTokenOf(vendor.token)}
          submit={words.rotate}
          tone="secondary"
        >
          <input
            type="hidden"
            name="active"
            value={keys.find(({ state }) => state === 'active')?.kid ?? ''}
          />
        </Form>
      </Section>
    </AdminPage>
  );
};

const StateBadge = ({ signingKey: { state, struck_at } }: { signingKey: SigningKeyRow }) => {
  const { states } = useWords(keysWords);
  if (struck_at !== null) return <Badge tone="bad">{states.struck}</Badge>;
  return state === 'active' ? <Badge tone="good">{states.active}</Badge> : <Badge>{states[state]}</Badge>;
};

const StepPage = ({
  vendor,
  signingKey,
  step,
}: {
  readonly vendor: Vendor;
  readonly signingKey: SigningKeyRow;
  readonly step: Step;
}) => {
  const { head, steps } = useWords(keysWords);
  const { title, act, meaning } = steps[step];
  return (
    <AdminPage title={title(signingKey.sequence)} vendor={vendor} place="keys">
      <Notice tone="warn">
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Facts
          facts={{
            [head.key]: <code>{signingKey.kid}</code>,
            [head.state]: <StateBadge signingKey={signingKey} />,
            [head.made]: <Moment at={signingKey.created_at} />,
          }}
        />
        <Form
          action={`${path}/${signingKey.kid}/${step}`}
          csrf={csrfTokenOf(vendor.token)}
          submit={act}
          tone={tones[step]}
        />
        <CancelLink path={path} />
      </Card>
    </AdminPage>
  );
};
