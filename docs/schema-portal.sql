-- The license portal's database after all migrations, as a reference: no program reads this file.
-- tests/outside/outside.test.ts writes it. Do not edit it: change the migrations, then run
--   npx vitest run --project integration tests/outside -u

CREATE TABLE check_counts (
  checks bigint NOT NULL,
  hour timestamp with time zone NOT NULL,
  outcome text NOT NULL,
  CONSTRAINT check_counts_outcome_check CHECK ((outcome = ANY (ARRAY['renewed'::text, 'refused'::text, 'limited'::text]))),
  CONSTRAINT check_counts_pkey PRIMARY KEY (hour, outcome)
);

CREATE TABLE customer_attempts (
  granted boolean NOT NULL,
  made_at timestamp with time zone[] NOT NULL,
  scope text NOT NULL,
  subject bytea NOT NULL,
  CONSTRAINT customer_attempts_pkey PRIMARY KEY (scope, subject)
);

CREATE TABLE customer_codes (
  code_hash bytea NOT NULL,
  email text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  holder_hash bytea NOT NULL,
  license_id text,
  purpose text NOT NULL,
  tenant_id text,
  tries_left integer NOT NULL,
  CONSTRAINT customer_codes_check CHECK (((purpose = 'sign-in'::text) OR ((license_id IS NOT NULL) AND (tenant_id IS NOT NULL)))),
  CONSTRAINT customer_codes_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT customer_codes_pkey PRIMARY KEY (holder_hash, purpose),
  CONSTRAINT customer_codes_purpose_check CHECK ((purpose = ANY (ARRAY['sign-in'::text, 'reveal-key'::text]))),
  CONSTRAINT customer_codes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT customer_codes_tries_left_check CHECK ((tries_left >= 0))
);

CREATE TABLE customer_devices (
  last_used_at timestamp with time zone NOT NULL,
  tenant_id text NOT NULL,
  token_hash bytea NOT NULL,
  CONSTRAINT customer_devices_pkey PRIMARY KEY (token_hash),
  CONSTRAINT customer_devices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);

CREATE TABLE customer_sessions (
  address text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  tenant_id text NOT NULL,
  token_hash bytea NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT customer_sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'program'::text]))),
  CONSTRAINT customer_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT customer_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT customer_sessions_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE fulfilments (
  applied_expires_at timestamp with time zone,
  ended boolean NOT NULL DEFAULT false,
  license_id text NOT NULL,
  purchase_id text NOT NULL,
  CONSTRAINT fulfilments_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT fulfilments_license_id_key UNIQUE (license_id),
  CONSTRAINT fulfilments_pkey PRIMARY KEY (purchase_id),
  CONSTRAINT fulfilments_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id)
);

CREATE TABLE hwid_transfers (
  from_hwid text,
  granted_by_vendor boolean NOT NULL DEFAULT false,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  license_id text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  state text NOT NULL,
  to_hwid text NOT NULL,
  CONSTRAINT hwid_transfers_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT hwid_transfers_pkey PRIMARY KEY (id),
  CONSTRAINT hwid_transfers_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'completed'::text, 'cancelled'::text])))
);

CREATE TABLE key_strikes (
  document text NOT NULL,
  made_at timestamp with time zone NOT NULL,
  number integer NOT NULL,
  CONSTRAINT key_strikes_pkey PRIMARY KEY (number)
);

CREATE TABLE license_events (
  actor text NOT NULL,
  actor_name text,
  at timestamp with time zone NOT NULL,
  data jsonb NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  license_id text NOT NULL,
  CONSTRAINT license_events_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT license_events_pkey PRIMARY KEY (id)
);

CREATE TABLE licenses (
  buyer_email text NOT NULL,
  buyer_name text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  features jsonb NOT NULL,
  id text NOT NULL,
  key_hash bytea NOT NULL,
  key_sealed text NOT NULL,
  key_tail text,
  max_clusters integer,
  purchase_id text NOT NULL,
  search_text text NOT NULL GENERATED ALWAYS AS (lower(((((((buyer_email || ' '::text) || COALESCE(buyer_name, ''::text)) || ' '::text) || purchase_id) || ' '::text) || COALESCE(key_tail, ''::text)))) STORED,
  status text NOT NULL,
  status_reason text,
  tenant_id text NOT NULL,
  tier text NOT NULL,
  CONSTRAINT licenses_buyer_name_check CHECK ((char_length(buyer_name) <= 120)),
  CONSTRAINT licenses_features_check CHECK ((jsonb_typeof(features) = 'array'::text)),
  CONSTRAINT licenses_id_check CHECK ((id ~ '^c[0-9a-z]{24}$'::text)),
  CONSTRAINT licenses_key_hash_key UNIQUE (key_hash),
  CONSTRAINT licenses_key_tail_check CHECK ((char_length(key_tail) = 4)),
  CONSTRAINT licenses_max_clusters_check CHECK ((max_clusters >= 0)),
  CONSTRAINT licenses_pkey PRIMARY KEY (id),
  CONSTRAINT licenses_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id),
  CONSTRAINT licenses_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'revoked'::text]))),
  CONSTRAINT licenses_status_reason_check CHECK ((char_length(status_reason) <= 300)),
  CONSTRAINT licenses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);

CREATE TABLE machines (
  bound_at timestamp with time zone NOT NULL,
  hwid text NOT NULL,
  instance_id uuid NOT NULL,
  last_validated_at timestamp with time zone,
  license_id text NOT NULL,
  version text NOT NULL,
  CONSTRAINT machines_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT machines_pkey PRIMARY KEY (license_id)
);

CREATE TABLE mail_outbox (
  attempts integer NOT NULL DEFAULT 0,
  body_sealed text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  id text NOT NULL,
  kind text NOT NULL,
  last_fault text,
  message_id text NOT NULL,
  next_attempt_at timestamp with time zone NOT NULL,
  recipient text NOT NULL,
  settled_at timestamp with time zone,
  state text NOT NULL DEFAULT 'due'::text,
  subject text NOT NULL,
  CONSTRAINT mail_outbox_check CHECK (((body_sealed IS NOT NULL) OR (state <> 'due'::text))),
  CONSTRAINT mail_outbox_check1 CHECK (((settled_at IS NULL) = (state = 'due'::text))),
  CONSTRAINT mail_outbox_message_id_key UNIQUE (message_id),
  CONSTRAINT mail_outbox_pkey PRIMARY KEY (id),
  CONSTRAINT mail_outbox_state_check CHECK ((state = ANY (ARRAY['due'::text, 'sent'::text, 'given_up'::text])))
);

CREATE TABLE payments (
  at timestamp with time zone NOT NULL,
  currency text,
  direction text NOT NULL,
  event_id text NOT NULL,
  gateway text NOT NULL,
  is_total boolean NOT NULL,
  minor bigint,
  reference text NOT NULL,
  source text NOT NULL,
  CONSTRAINT payments_check CHECK (((minor IS NULL) = (currency IS NULL))),
  CONSTRAINT payments_check1 CHECK (((minor IS NOT NULL) OR (direction = 'returned'::text))),
  CONSTRAINT payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT payments_direction_check CHECK ((direction = ANY (ARRAY['paid'::text, 'returned'::text]))),
  CONSTRAINT payments_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id),
  CONSTRAINT payments_minor_check CHECK ((minor >= 0)),
  CONSTRAINT payments_pkey PRIMARY KEY (gateway, direction, reference)
);

CREATE TABLE plans (
  duration_days integer,
  features jsonb NOT NULL,
  id text NOT NULL,
  max_clusters integer,
  tier text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT plans_duration_days_check CHECK ((duration_days > 0)),
  CONSTRAINT plans_features_check CHECK ((jsonb_typeof(features) = 'array'::text)),
  CONSTRAINT plans_id_check CHECK ((id ~ '^[a-z0-9][a-z0-9._-]{0,63}$'::text)),
  CONSTRAINT plans_max_clusters_check CHECK ((max_clusters >= 0)),
  CONSTRAINT plans_pkey PRIMARY KEY (id)
);

CREATE TABLE purchases (
  buyer_email text NOT NULL,
  id text NOT NULL,
  purchased_at timestamp with time zone NOT NULL,
  refunded_at timestamp with time zone,
  state text NOT NULL,
  tenant_id text NOT NULL,
  CONSTRAINT purchases_pkey PRIMARY KEY (id),
  CONSTRAINT purchases_state_check CHECK ((state = ANY (ARRAY['paid'::text, 'refunded'::text]))),
  CONSTRAINT purchases_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);

CREATE TABLE rate_counters (
  accepted_at timestamp with time zone[] NOT NULL,
  address text NOT NULL,
  granted integer NOT NULL,
  scope text NOT NULL,
  CONSTRAINT rate_counters_pkey PRIMARY KEY (scope, address)
);

CREATE TABLE schema_migrations (
  "timestamp" character varying(255) NOT NULL,
  name character varying(255) NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_migrations_lock (
  id character varying(255) NOT NULL,
  is_locked integer NOT NULL DEFAULT 0,
  CONSTRAINT schema_migrations_lock_pkey PRIMARY KEY (id)
);

CREATE TABLE signing_keys (
  activated_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  endorsement text,
  kid text NOT NULL,
  private_key_sealed text,
  public_key text NOT NULL,
  retired_at timestamp with time zone,
  retiring_since timestamp with time zone,
  sequence integer NOT NULL,
  state text NOT NULL,
  struck_at timestamp with time zone,
  CONSTRAINT signing_keys_check CHECK (((private_key_sealed IS NOT NULL) OR (state = 'retired'::text))),
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid),
  CONSTRAINT signing_keys_sequence_key UNIQUE (sequence),
  CONSTRAINT signing_keys_state_check CHECK ((state = ANY (ARRAY['next'::text, 'active'::text, 'retiring'::text, 'retired'::text])))
);

CREATE TABLE tenants (
  created_at timestamp with time zone NOT NULL,
  email text NOT NULL,
  id text NOT NULL,
  language text,
  CONSTRAINT tenants_id_check CHECK ((id ~ '^c[0-9a-z]{24}$'::text)),
  CONSTRAINT tenants_language_check CHECK ((language = ANY (ARRAY['en'::text, 'pt-BR'::text]))),
  CONSTRAINT tenants_pkey PRIMARY KEY (id)
);

CREATE TABLE transfer_grants (
  granted_at timestamp with time zone NOT NULL,
  granted_by text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  license_id text NOT NULL,
  spent_by bigint,
  CONSTRAINT transfer_grants_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT transfer_grants_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_grants_spent_by_fkey FOREIGN KEY (spent_by) REFERENCES hwid_transfers(id),
  CONSTRAINT transfer_grants_spent_by_key UNIQUE (spent_by)
);

CREATE TABLE vault_keys (
  created_at timestamp with time zone NOT NULL,
  key_sealed text NOT NULL,
  name text NOT NULL,
  CONSTRAINT vault_keys_pkey PRIMARY KEY (name)
);

CREATE TABLE vendor_accounts (
  created_at timestamp with time zone NOT NULL,
  disabled_at timestamp with time zone,
  id text NOT NULL,
  initial_until timestamp with time zone,
  last_signed_in_at timestamp with time zone,
  name text NOT NULL,
  password_hash text NOT NULL,
  time_zone text,
  totp_last_step bigint,
  totp_sealed text,
  CONSTRAINT vendor_accounts_check CHECK (((totp_sealed IS NOT NULL) OR (initial_until IS NOT NULL))),
  CONSTRAINT vendor_accounts_id_check CHECK ((id ~ '^c[0-9a-z]{24}$'::text)),
  CONSTRAINT vendor_accounts_pkey PRIMARY KEY (id)
);

CREATE TABLE vendor_attempts (
  counted_at timestamp with time zone NOT NULL,
  scope text NOT NULL,
  subject bytea NOT NULL,
  tokens double precision NOT NULL,
  CONSTRAINT vendor_attempts_pkey PRIMARY KEY (scope, subject)
);

CREATE TABLE vendor_devices (
  account_id text NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  token_hash bytea NOT NULL,
  CONSTRAINT vendor_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES vendor_accounts(id),
  CONSTRAINT vendor_devices_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE vendor_events (
  actor_name text NOT NULL,
  at timestamp with time zone NOT NULL,
  data jsonb NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject text,
  CONSTRAINT vendor_events_pkey PRIMARY KEY (id)
);

CREATE TABLE vendor_figures (
  figures jsonb NOT NULL,
  only_row boolean NOT NULL DEFAULT true,
  taken_at timestamp with time zone NOT NULL,
  CONSTRAINT vendor_figures_only_row_check CHECK (only_row),
  CONSTRAINT vendor_figures_pkey PRIMARY KEY (only_row)
);

CREATE TABLE vendor_recovery_codes (
  account_id text NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT vendor_recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES vendor_accounts(id),
  CONSTRAINT vendor_recovery_codes_pkey PRIMARY KEY (account_id, code_hash)
);

CREATE TABLE vendor_sessions (
  account_id text NOT NULL,
  address text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  id text NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  stage text NOT NULL,
  token_hash bytea NOT NULL,
  totp_sealed text,
  tries_left integer NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT vendor_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES vendor_accounts(id),
  CONSTRAINT vendor_sessions_check CHECK (((totp_sealed IS NOT NULL) = (stage = 'enrol'::text))),
  CONSTRAINT vendor_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT vendor_sessions_stage_check CHECK ((stage = ANY (ARRAY['enrol'::text, 'code'::text, 'full'::text]))),
  CONSTRAINT vendor_sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT vendor_sessions_tries_left_check CHECK ((tries_left >= 0))
);

CREATE TABLE webhook_events (
  event_id text NOT NULL,
  facts jsonb NOT NULL,
  gateway text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  outcome text NOT NULL,
  payload_sha256 bytea NOT NULL,
  purchase_id text,
  reason text,
  received_at timestamp with time zone NOT NULL,
  refs text[] NOT NULL,
  type text NOT NULL,
  CONSTRAINT webhook_events_gateway_check CHECK ((gateway = ANY (ARRAY['generic'::text, 'stripe'::text]))),
  CONSTRAINT webhook_events_gateway_event_id_key UNIQUE (gateway, event_id),
  CONSTRAINT webhook_events_id_check CHECK ((id ~ '^c[0-9a-z]{24}$'::text)),
  CONSTRAINT webhook_events_outcome_check CHECK ((outcome = ANY (ARRAY['processed'::text, 'waiting'::text, 'unprocessed'::text, 'ignored'::text]))),
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_events_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchases(id)
);

CREATE INDEX customer_codes_expiry ON public.customer_codes USING btree (expires_at);

CREATE INDEX customer_codes_tenant ON public.customer_codes USING btree (tenant_id);

CREATE INDEX customer_devices_tenant ON public.customer_devices USING btree (tenant_id, last_used_at);

CREATE INDEX customer_sessions_tenant ON public.customer_sessions USING btree (tenant_id);

CREATE INDEX customer_sessions_use ON public.customer_sessions USING btree (last_used_at);

CREATE INDEX hwid_transfers_license ON public.hwid_transfers USING btree (license_id, requested_at);

CREATE UNIQUE INDEX hwid_transfers_pending ON public.hwid_transfers USING btree (license_id) WHERE (state = 'pending'::text);

CREATE INDEX license_events_changes ON public.license_events USING btree (license_id, id) WHERE (kind = ANY (ARRAY['suspended'::text, 'resumed'::text, 'revoked'::text, 'extended'::text, 'subscription_ended'::text]));

CREATE INDEX license_events_license ON public.license_events USING btree (license_id, id);

CREATE INDEX licenses_buyer ON public.licenses USING btree (lower(buyer_email));

CREATE INDEX licenses_expiry ON public.licenses USING btree (expires_at) WHERE (status <> 'revoked'::text);

CREATE INDEX licenses_newest ON public.licenses USING btree (created_at, id);

CREATE INDEX licenses_purchase ON public.licenses USING btree (purchase_id);

CREATE INDEX licenses_status ON public.licenses USING btree (status, created_at, id);

CREATE INDEX licenses_tenant ON public.licenses USING btree (tenant_id);

CREATE INDEX licenses_without_tail ON public.licenses USING btree (id) WHERE (key_tail IS NULL);

CREATE INDEX machines_hwid ON public.machines USING btree (hwid);

CREATE INDEX mail_outbox_due ON public.mail_outbox USING btree (next_attempt_at) WHERE (state = 'due'::text);

CREATE INDEX mail_outbox_given_up ON public.mail_outbox USING btree (created_at, id) WHERE (state = 'given_up'::text);

CREATE INDEX mail_outbox_newest ON public.mail_outbox USING btree (created_at, id);

CREATE INDEX mail_outbox_settled ON public.mail_outbox USING btree (settled_at) WHERE (settled_at IS NOT NULL);

CREATE INDEX payments_at ON public.payments USING btree (at);

CREATE INDEX payments_event ON public.payments USING btree (event_id);

CREATE INDEX payments_source ON public.payments USING btree (gateway, source);

CREATE INDEX purchases_tenant ON public.purchases USING btree (tenant_id);

CREATE UNIQUE INDEX signing_keys_active ON public.signing_keys USING btree (state) WHERE (state = 'active'::text);

CREATE UNIQUE INDEX signing_keys_next ON public.signing_keys USING btree (state) WHERE (state = 'next'::text);

CREATE UNIQUE INDEX tenants_email ON public.tenants USING btree (lower(email));

CREATE INDEX tenants_newest ON public.tenants USING btree (created_at, id);

CREATE INDEX transfer_grants_license ON public.transfer_grants USING btree (license_id) WHERE (spent_by IS NULL);

CREATE UNIQUE INDEX vendor_accounts_name ON public.vendor_accounts USING btree (lower(name));

CREATE INDEX vendor_devices_account ON public.vendor_devices USING btree (account_id);

CREATE INDEX vendor_sessions_account ON public.vendor_sessions USING btree (account_id);

CREATE INDEX webhook_events_dismissed ON public.webhook_events USING btree (id) WHERE ((kind = 'purchase'::text) AND (outcome = 'ignored'::text));

CREATE INDEX webhook_events_newest ON public.webhook_events USING btree (received_at, id);

CREATE INDEX webhook_events_outcome ON public.webhook_events USING btree (outcome, received_at, id);

CREATE INDEX webhook_events_refs ON public.webhook_events USING gin (refs);

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end
  $function$;

CREATE TRIGGER license_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.license_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER vendor_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.vendor_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
