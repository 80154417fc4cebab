import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Facts, formatMoment, Moment, Notice, Table } from '../../pages/display.tsx';
import { ErrorSummary, type FieldError, Form } from '../../pages/form.tsx';
import type { PageAnswer, PageRoutes } from '../../pages/page-area.ts';
import type { SigningKeyRow } from '../../signing-keys/signing-keys.tables.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminNotice, AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';

const path = `${adminRoot}/keys`;

const steps = {
  retire: {
    label: 'Retire',
    meaning: 'The private half of this key is destroyed. Tokens that it has signed still prove identity.',
    tone: 'primary',
  },
  strike: {
    label: 'Strike out',
    meaning:
      'For a key that was stolen. Its private half is destroyed, its tokens prove nothing any more, and every installation has to activate anew. An installation that is pinned to this key and knows no later one needs a new build, or LICENSE_SERVER_PUBLIC_KEY in its settings. This is final.',
    tone: 'danger',
  },
} as const;
type Step = keyof typeof steps;
const isStep = (name: string): name is Step => Object.hasOwn(steps, name);

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
  const keyOf = async (kid: unknown): Promise<SigningKeyRow> => {
    const key = (await signingKeys.list()).find((known) => known.kid === kid);
    if (!key) throw new Problem('NOT_FOUND', { detail: 'There is no such signing key.' });
    return key;
  };

  routes.get(
    '/keys',
    browser.signedIn(({ request }, vendor) => listPage(vendor, request.query.notice)),
  );
  routes.post(
    '/keys/rotate',
    browser.signedIn(async ({ form }, vendor) => {
      // The key that the page showed as active: the same form sent twice rotates once.
      const rotation = await signingKeys.rotate({ activeKid: form.get('active') ?? '' });
      if (rotation.outcome === 'rotated-meanwhile')
        return { redirect: withNotice(path, 'rotated-meanwhile') };
      if (rotation.outcome === 'too-early')
        return listPage(vendor, null, [
          {
            field: null,
            message: `The next key is not published for long enough: rotate from ${formatMoment(rotation.readyAt)} on. In an emergency: portal key rotate --now`,
          },
        ]);
      if (rotation.outcome === 'prepared') return { redirect: withNotice(path, 'key-prepared') };
      await area.record({ kind: 'keys_rotated', by: vendor.name, subject: rotation.activeKid });
      return { redirect: withNotice(path, 'keys-rotated') };
    }),
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
    browser.signedIn(async ({ request }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      const { kid } = await keyOf(request.params.kid);
      const done = step === 'retire' ? await signingKeys.retire(kid) : await signingKeys.strike([kid]);
      if (done.outcome === 'refused') return listPage(vendor, null, [{ field: null, message: done.reason }]);
      const kind = step === 'retire' ? 'key_retired' : 'keys_struck';
      await area.record({ kind, by: vendor.name, subject: kid });
      return { redirect: withNotice(path, step === 'retire' ? 'key-retired' : 'key-struck') };
    }),
  );
};

interface KeysPageProps {
  readonly vendor: Vendor;
  readonly keys: readonly SigningKeyRow[];
  readonly notice: unknown;
  readonly errors: readonly FieldError[];
}

const KeysPage = ({ vendor, keys, notice, errors }: KeysPageProps) => (
  <AdminPage title="Signing keys" vendor={vendor} place="keys" hasErrors={errors.length > 0}>
    <AdminNotice code={notice} />
    <ErrorSummary errors={errors} />
    <Table
      caption="Signing keys in the order of their succession"
      hideCaption
      head={['No.', 'Key', 'State', 'Made', 'Signs since', 'Steps']}
      empty="There is no key."
      rows={keys.map((key) => ({
        key: key.kid,
        cells: [
          key.sequence,
          <code key="kid" className="unbroken">
            {key.kid}
          </code>,
          <StateBadge key="state" signingKey={key} />,
          <Moment key="made" at={key.created_at} />,
          key.activated_at ? <Moment key="active" at={key.activated_at} /> : '–',
          <span key="steps" className="row">
            {(Object.keys(steps) as Step[])
              .filter((step) => mayTake(step, key))
              .map((step) => (
                <a key={step} href={`${path}/${key.kid}/${step}`}>
                  {steps[step].label} <span className="hidden-visually">{`key ${key.sequence}`}</span>
                </a>
              ))}
          </span>,
        ],
      }))}
    />
    <Card title="Rotate">
      <p>
        The next key signs from now on, and another one is made to follow it. The present one still verifies.
        Nobody has to do anything on their installations.
      </p>
      <Form
        action={`${path}/rotate`}
        csrf={csrfTokenOf(vendor.token)}
        submit="Rotate the keys"
        tone="secondary"
      >
        <input type="hidden" name="active" value={keys.find(({ state }) => state === 'active')?.kid ?? ''} />
      </Form>
    </Card>
  </AdminPage>
);

const StateBadge = ({ signingKey: { state, struck_at } }: { signingKey: SigningKeyRow }) => {
  if (struck_at !== null) return <Badge tone="bad">struck out</Badge>;
  return state === 'active' ? <Badge tone="good">active</Badge> : <Badge>{state}</Badge>;
};

const StepPage = ({
  vendor,
  signingKey,
  step,
}: {
  vendor: Vendor;
  signingKey: SigningKeyRow;
  step: Step;
}) => {
  const { label, meaning, tone } = steps[step];
  return (
    <AdminPage title={`${label}: key ${signingKey.sequence}`} vendor={vendor} place="keys">
      <Notice tone="warn">
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Facts
          facts={{
            Key: <code>{signingKey.kid}</code>,
            State: <StateBadge signingKey={signingKey} />,
            Made: <Moment at={signingKey.created_at} />,
          }}
        />
        <Form
          action={`${path}/${signingKey.kid}/${step}`}
          csrf={csrfTokenOf(vendor.token)}
          submit={`${label} the key`}
          tone={tone}
        />
        <p>
          <a href={path}>Back, without doing anything</a>
        </p>
      </Card>
    </AdminPage>
  );
};
