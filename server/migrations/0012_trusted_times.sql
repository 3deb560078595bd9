-- Clocks of devices are wrong now and then. The newest point of a series that was not far in the future when it came: by
-- it is told what comes late, and how long someone has been silent. Null where every point was.
alter table metric_series add trusted_time timestamptz;
update metric_series set trusted_time = last_time where last_time <= now() + interval '1 hour';
