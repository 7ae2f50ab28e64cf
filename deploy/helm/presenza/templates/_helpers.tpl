{{/* Labels of an object. Takes the root, and the component that the object belongs to, if it belongs to one. */}}
{{- define "presenza.labels" -}}
{{- with .component -}}
{{ include "presenza.selectorLabels" . }}
{{ end -}}
app.kubernetes.io/part-of: presenza
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels by which services, policies and workloads select the pods of a component. */}}
{{- define "presenza.selectorLabels" -}}
app.kubernetes.io/name: presenza
app.kubernetes.io/component: {{ . }}
{{- end }}

{{/* An image of the product. Takes the root and the values of the image. */}}
{{- define "presenza.image" -}}
{{ printf "%s:%s" .image.repository (.image.tag | default .root.Chart.AppVersion) | quote }}
{{- end }}

{{/* The lowest number of replicas. A schema cannot compare two values. Takes the values of an autoscaler and their name. */}}
{{- define "presenza.minReplicas" -}}
{{- if gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas) }}
{{- fail (printf "%s.minReplicas is larger than %s.maxReplicas" .name .name) }}
{{- end }}
{{- int .autoscaling.minReplicas }}
{{- end }}

{{/* Hashes in the names of ConfigMaps, so that a changed configuration restarts the pods that read it. */}}
{{- define "presenza.redisConfigHash" -}}
{{ .Files.Get "files/redis.conf" | sha256sum | trunc 10 }}
{{- end }}
{{- define "presenza.redisClusterConfigHash" -}}
{{ (.Files.Glob "files/redis-cluster/*").AsConfig | sha256sum | trunc 10 }}
{{- end }}

{{/* The container beside each Redis that serves its metrics. */}}
{{- define "presenza.redisExporter" -}}
- name: exporter
  image: {{ .Values.redisExporter.image | quote }}
  imagePullPolicy: IfNotPresent
  args:
    - --redis.addr=redis://127.0.0.1:6379
    - --web.listen-address=:9121
  ports:
    - name: metrics
      containerPort: 9121
  env:
    - name: REDIS_PASSWORD
      valueFrom:
        secretKeyRef:
          name: {{ .Values.secrets.redis | quote }}
          key: password
  startupProbe:
    httpGet:
      path: /health
      port: metrics
    failureThreshold: 30
    periodSeconds: 1
  readinessProbe:
    httpGet:
      path: /health
      port: metrics
    failureThreshold: 3
    periodSeconds: 10
    timeoutSeconds: 5
  livenessProbe:
    httpGet:
      path: /health
      port: metrics
    failureThreshold: 3
    periodSeconds: 10
    timeoutSeconds: 5
  resources:
    requests:
      cpu: 10m
      ephemeral-storage: 8Mi
      memory: 32Mi
    limits:
      cpu: 100m
      ephemeral-storage: 16Mi
      memory: 64Mi
  securityContext:
    allowPrivilegeEscalation: false
    capabilities:
      drop:
        - ALL
    readOnlyRootFilesystem: true
{{- end }}
