import type { Generated } from 'kysely'
import type { Range } from './classification-rules.ts'
import type { AlertState, ClearReason, Notify, RuleKind, Severity, WorklistEntry } from './rule.ts'

declare module '../../platform/db/tables.ts' {
  interface Tables {
    alertRules: {
      organizationId: string
      id: string
      name: string
      targetId: string
      target: 'individual' | 'group' | 'organization'
      metricType: string
      field: string | null
      kind: RuleKind
      direction: 'above' | 'below' | null
      threshold: number | null
      clearThreshold: number | null
      rangeFrom: number | null
      rangeTo: number | null
      period: number | null
      severity: Severity
      notify: Notify
      worklistEntry: WorklistEntry | null
      enabled: boolean
      effectiveFrom: Date
      createdAt: Date
      createdBy: string
      lastModifiedAt: Date
      deletedAt: Generated<Date | null>
    }
    alertRuns: { individualId: string; ruleId: string; seriesId: string; since: Date | null; fired: boolean }
    alerts: {
      organizationId: string
      id: string
      ruleId: string
      individualId: string
      ruleName: string
      kind: RuleKind
      metricType: string
      field: string | null
      severity: Severity
      weight: number
      state: AlertState
      source: string | null
      value: number | null
      message: string
      direction: 'above' | 'below' | null
      threshold: number | null
      rangeFrom: number | null
      rangeTo: number | null
      period: number | null
      firedAt: Date
      createdAt: Date
      acknowledgedAt: Generated<Date | null>
      acknowledgedBy: Generated<string | null>
      note: Generated<string | null>
      clearedAt: Generated<Date | null>
      clearedBy: Generated<string | null>
      clearReason: Generated<ClearReason | null>
    }
    classificationSets: {
      id: string
      organizationId: string | null
      name: string
      metricType: string
      field: string
      origin: string
      ranges: Range[]
      isActive: boolean
      createdAt: Date
      lastModifiedAt: Date
    }
  }
}
