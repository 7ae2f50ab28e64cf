/** The forms in which operators write the status page. Their times are in the zone of the operator. */
import type { Incident, IncidentImpact, ServiceComponent } from '@presenza/contract/console/types.d.ts';
import { useId, useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Checks, Choice, Field, Form } from '../../parts/form';
import * as form from '../../parts/form.module.css';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';

const components = ['api', 'analyses', 'liveness', 'webhooks'] as const satisfies readonly ServiceComponent[];
const impacts = ['none', 'degraded', 'partialOutage', 'outage'] as const satisfies readonly IncidentImpact[];
const statuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
type ReportedStatus = (typeof statuses)[number];

interface DialogProps {
  onDone(): void;
  onClose(): void;
}

/** The fields that describe an incident. */
interface Described {
  readonly title: string;
  readonly impact: IncidentImpact;
  readonly text: string;
}

type Reported = Described & { readonly status: ReportedStatus; readonly from: string };

export function CreateIncident({ onDone, onClose }: DialogProps) {
  const { texts, api } = useConsole();
  const { create: text } = texts.operator.incidents;
  const [affected, setAffected] = useState<readonly ServiceComponent[]>(['api']);
  const create = async ({ from, ...rest }: Reported) => {
    const body = { ...rest, components: [...affected], ...(from && { from: timeOf(from) }) };
    await dataOf(api.POST('/operator/incidents', { body }));
    onDone();
  };
  return (
    <Dialog title={text.title} text={text.text} onClose={onClose}>
      <Form action={text.action} onSubmit={create}>
        <Description affected={affected} onChange={setAffected} />
        <StatusChoice initial="investigating" />
        <TextArea label={text.update} />
        <MomentField name="from" label={text.from} />
      </Form>
    </Dialog>
  );
}

type Planned = Described & { readonly from: string; readonly until: string };

export function ScheduleMaintenance({ onDone, onClose }: DialogProps) {
  const { texts, api } = useConsole();
  const { schedule: text } = texts.operator.incidents;
  const [affected, setAffected] = useState<readonly ServiceComponent[]>(components);
  const schedule = async ({ from, until, ...rest }: Planned) => {
    const body = { ...rest, components: [...affected], from: timeOf(from), until: timeOf(until) };
    await dataOf(api.POST('/operator/incidents/maintenance', { body }));
    onDone();
  };
  return (
    <Dialog title={text.title} text={text.text} onClose={onClose}>
      <Form action={text.action} onSubmit={schedule}>
        <Description affected={affected} onChange={setAffected} />
        <TextArea label={text.update} />
        <MomentField name="from" label={text.from} required />
        <MomentField name="until" label={text.until} required />
      </Form>
    </Dialog>
  );
}

interface Update {
  readonly text: string;
  readonly status: ReportedStatus | '';
  readonly until: string;
}

export function UpdateIncident({ incident, onDone, onClose }: DialogProps & { incident: Incident }) {
  const { texts, api } = useConsole();
  const { update: text, statuses: labels } = texts.operator.incidents;
  const { incidentId, title, planned } = incident;
  const update = async ({ text, status, until }: Update) => {
    const body = { text, ...(status && { status }), ...(until && { until: timeOf(until) }) };
    const params = { path: { incident: incidentId } };
    await dataOf(api.PATCH('/operator/incidents/{incident}', { params, body }));
    onDone();
  };
  return (
    <Dialog title={text.title} text={title} onClose={onClose}>
      <Form action={text.action} onSubmit={update}>
        {planned ? (
          <Choice
            name="status"
            label={text.status}
            options={[
              { value: '', label: text.unchanged },
              { value: 'resolved', label: labels.resolved },
            ]}
          />
        ) : (
          <StatusChoice initial={latestOf(incident)} />
        )}
        <TextArea label={text.text} />
        <MomentField name="until" label={planned ? text.plannedEnd : text.end} />
      </Form>
    </Dialog>
  );
}

/** The last reported status; an incident that is no maintenance always has one. */
const latestOf = ({ updates }: Incident): ReportedStatus =>
  statuses.find((status) => status === updates[0]?.status) ?? 'investigating';

interface DescriptionProps {
  affected: readonly ServiceComponent[];
  onChange(affected: readonly ServiceComponent[]): void;
}

function Description({ affected, onChange }: DescriptionProps) {
  const text = useConsole().texts.operator.incidents;
  return (
    <>
      <Field name="title" label={text.title} required maxLength={120} autoComplete="off" />
      <Checks
        label={text.affected}
        name="components"
        options={components.map((value) => ({ value, label: text.components[value] }))}
        chosen={affected}
        onChange={onChange}
      />
      <Choice
        name="impact"
        label={text.impact}
        options={impacts.map((value) => ({ value, label: text.impacts[value] }))}
        defaultValue={'degraded' satisfies IncidentImpact}
      />
    </>
  );
}

function StatusChoice({ initial }: { initial: ReportedStatus }) {
  const { status, statuses: labels } = useConsole().texts.operator.incidents;
  const options = statuses.map((value) => ({ value, label: labels[value] }));
  return <Choice name="status" label={status} options={options} defaultValue={initial} />;
}

function TextArea({ label }: { label: string }) {
  const id = useId();
  return (
    <div className={form.field}>
      <label htmlFor={id}>{label}</label>
      <textarea id={id} name="text" className={form.input} rows={5} required maxLength={1000} />
    </div>
  );
}

interface MomentProps {
  name: string;
  label: string;
  required?: boolean;
}

const MomentField = (props: MomentProps) => <Field type="datetime-local" {...props} />;

/** @param moment of such a field, in the zone of the browser */
const timeOf = (moment: string) => new Date(moment).toISOString();
